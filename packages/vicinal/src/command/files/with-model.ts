// A classifier for one command: its memory is always freed.

import type { Classifier } from '@vicinal/core'

/** Waits for a classifier that is being fitted or loaded, and frees it after `use`. */
export async function withModel<T>(
  coming: Promise<Classifier>,
  use: (model: Classifier) => T | Promise<T>,
): Promise<T> {
  const model = await coming
  try {
    return await use(model)
  } finally {
    model.free()
  }
}
