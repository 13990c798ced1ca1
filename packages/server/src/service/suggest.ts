// What a model suggests, without the labels that people rejected for the very same item.

import type { BatchOptions, Items, PredictOptions, Suggestion } from '@vicinal/core'
import type { PlainItem } from './corrections.ts'
import type { ServedModel } from './served.ts'

type Suggester = Pick<ServedModel, 'model' | 'corrections'>

export function suggest(
  { model, corrections }: Suggester,
  item: PlainItem,
  options: PredictOptions & { readonly top: number },
): Suggestion[] {
  const rejected = corrections.rejectedFor(item)
  const { top } = options
  const found = model.predict(item, { ...options, top: top + rejected.size })
  return found.filter(({ label }) => !rejected.has(label)).slice(0, top)
}

/** The same for many items: only those with rejected labels are asked for one by one. */
export async function suggestMany(
  served: Suggester,
  items: readonly PlainItem[],
  { top, thresholded = false, signal }: BatchOptions & { readonly top: number },
): Promise<Suggestion[][]> {
  // Of one kind: the model says if one is the wrong one.
  const batch = await served.model.predictBatch(items as Items, { top, thresholded, signal })
  return Array.from(batch, (labels, i) => {
    const item = items[i] as PlainItem // as many as answers
    return served.corrections.rejectedFor(item).size > 0 ? suggest(served, item, { top, thresholded }) : labels
  })
}
