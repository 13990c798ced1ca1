// Measures models on labeled items when a site is written. The page shows it: visitors do not have the items.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type LongWork, loadClassifier } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { modelTested } from '../service/insight/measure-models.ts'
import { ModelInsight } from '../service/insight/model-insight.ts'
import type { SiteFile } from './site-file.ts'
import type { SiteOptions } from './write-site.ts'

/** A file that the site will have, and where it is now. */
export interface SiteSource {
  readonly file: SiteFile
  readonly path: string
  /** What was measured of it, as JSON. */
  readonly quality?: Uint8Array
}

/** The sources, with the quality of those models that there is a test for. */
export async function measureSources(
  sources: readonly SiteSource[],
  { tests = [], signal }: SiteOptions,
): Promise<SiteSource[]> {
  const models = sources.filter(({ file }) => file.kind === 'model').map(source => ({ name: source.file.name, source }))
  const measured = new Map<SiteSource, Uint8Array>()
  for (const test of tests) {
    const { model, path } = modelTested(models, test)
    measured.set(model.source, await qualityOf(model.source, path, signal))
  }
  return sources.map(source => {
    const quality = measured.get(source)
    return quality ? { ...source, quality, file: { ...source.file, quality: placeOf(source.file, quality) } } : source
  })
}

async function qualityOf({ file, path }: SiteSource, test: string, signal: LongWork['signal']): Promise<Uint8Array> {
  const items = await readDataset(test, { signal })
  const model = await loadClassifier(path)
  try {
    return Buffer.from(JSON.stringify(await new ModelInsight(model, file.bytes).measure(items, basename(test), signal)))
  } finally {
    model.free()
  }
}

/** A new name for new contents, as of all files. */
function placeOf({ name }: SiteFile, quality: Uint8Array): string {
  return `files/${name}-quality-${hashOf(quality)}.json`
}

export function hashOf(contents: Uint8Array): string {
  return createHash('sha256').update(contents).digest('hex').slice(0, 10)
}
