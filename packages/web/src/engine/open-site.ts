// Loads and opens the files of a site, one after the other, and teaches them what this visitor changed before.

import { EngineError, loadClassifier, loadIndex, registerIndexKind, registerMethod } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { marginMethod, netKind } from '@vicinal/core/margin'
import { memoryMethod } from '@vicinal/core/memory'
import {
  type Quality,
  type Served,
  type ServedModel,
  ServedTable,
  type SiteFile,
  serveCollection,
  serveIndex,
  serveModel,
} from '@vicinal/server/operations'
import type { LoadProgress } from '../backend/backend.ts'
import { loadFile } from './load-file.ts'

import { registerSnowball } from './snowball.ts'
import { VisitorLog } from './visitor-log.ts'

for (const method of [memoryMethod, marginMethod]) registerMethod(method)
registerIndexKind(netKind)

type OnProgress = (progress: LoadProgress) => void

/** `base` is the address of the page. */
export async function openSite(files: readonly SiteFile[], base: string, onProgress: OnProgress): Promise<ServedTable> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const served: Served[] = []
  let before = 0
  for (const file of files) {
    const bytes = await loadFile(new URL(file.url, base), file.bytes, loaded => {
      onProgress({ loaded: before + loaded, total, what: 'loading' })
    })
    before += file.bytes
    onProgress({ loaded: before, total, what: 'opening' })
    served.push(await withStemmers(() => openFile(file, bytes, base)))
  }
  return new ServedTable(served)
}

async function openFile(file: SiteFile, bytes: Uint8Array<ArrayBuffer>, base: string): Promise<Served> {
  const given = { name: file.name, path: file.url, bytes: file.bytes, modifiedAt: file.modifiedAt }
  if (file.kind === 'index') return serveIndex(given, await loadIndex(bytes))
  const model = file.kind === 'model' ? await loadClassifier(bytes) : undefined
  const log = await VisitorLog.open(new URL('.', base).pathname, `${file.kind} ${file.name}`)
  if (model) return withQuality(file, base, await serveModel(given, model, log))
  return serveCollection(given, onChange => Collection.fromBytes(bytes, { onChange }), log)
}

/** What was measured when the site was written. A model without it works as well. */
async function withQuality({ quality }: SiteFile, base: string, served: ServedModel): Promise<ServedModel> {
  if (quality === undefined) return served
  try {
    const response = await fetch(new URL(quality, base))
    if (!response.ok) throw new Error(`the quality of ${served.name} is missing: status ${response.status}`)
    served.insight.keep((await response.json()) as Quality) // as the site was written
  } catch (error) {
    served.insight.failure = error // told on the page, where the quality would be
  }
  return served
}

/** Few models need stemmers, and these are nearly a megabyte: they are loaded when a model asks for one. */
async function withStemmers<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof EngineError && /stemmer/i.test(error.message))) throw error
    await registerSnowball()
    return open()
  }
}
