// Writes the golden files of today's format versions: npm run golden. Overwrites them, so run it only for a version that is not released.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleModels } from '../hostile/sample-models.ts'
import { askModel, formatVersion, type GoldenModel, goldenFolder, plain } from './golden-models.ts'
import { makeGoldenStore } from './make-golden-store.ts'

/** One model per index kind, classifier, kind of memory keys, and way to search a collection. */
const names = [
  ...['exact', 'forest', 'forest-codes', 'inverted', 'sparse-forest', 'net', 'net-text'],
  ...['lcif', 'lcif-dense', 'instance', 'feature', 'gpt', 'kd-dense', 'margin', 'memory-labels'],
  ...['memory', 'memory-dense', 'memory-sparse'],
  ...['collection', 'collection-forest', 'collection-texts'],
]

const folder = join(goldenFolder, `v${await formatVersion()}`)
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
const made: GoldenModel[] = []
for (const name of names) {
  const sample = sampleModels.find(model => model.name === name)
  if (sample === undefined) throw new Error(`no sample model is called ${name}`)
  const path = join(folder, `${name}.model`)
  await sample.save(path)
  const query = plain(sample.query)
  made.push({ name, family: sample.family, query, answers: await askModel(path, sample.family, query) })
}
await writeFile(join(folder, 'answers.json'), `${JSON.stringify(made, null, 1)}\n`)
process.stderr.write(`wrote ${(await readdir(folder)).length} files to ${folder}\n`)

await makeGoldenStore()
