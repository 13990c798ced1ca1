// Tries hostile models [from, to) in a process of its own: a model may hang it, or bring it down. It notes where it is in one file,
// and what failed in another; models-run.ts reads both.

import { appendFileSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DenseMatrix, decodeModel, EngineError, ExactIndex, encodeModel, Random } from 'vicinal'
import { changeHeader } from './change-header.ts'
import { changeModel } from './change-model.ts'
import { sampleModels } from './sample-models.ts'
import { useModel } from './use-model.ts'

const [folder = '', from = '0', to = '0'] = process.argv.slice(2)
const progress = openSync(join(folder, 'progress'), 'w')
const samples = sampleModels.map(sample => ({ sample, bytes: new Uint8Array(readFileSync(join(folder, sample.name))) }))
const [hostile, saved] = [join(folder, 'hostile.tmp'), join(folder, 'saved.tmp')]

/** One in so many has its header's text changed. */
const headerShare = 8

function note(failure: object): void {
  appendFileSync(join(folder, 'failures'), `${JSON.stringify(failure)}\n`)
}

/** The sample that hostile model `i` is made of. */
function sampleOf(i: number): (typeof samples)[number] {
  return samples[i % samples.length] as (typeof samples)[number] // below their number
}

function hostileModel(i: number): { bytes: Uint8Array; changes: string[] } {
  const { sample, bytes } = sampleOf(i)
  const turn = Math.floor(i / samples.length)
  if (turn % headerShare === 0) return changeHeader(bytes, new Random(i))
  const { contents, changes } = changeModel(decodeModel(bytes, sample.name), i)
  return { bytes: Buffer.concat(encodeModel(contents)), changes }
}

/** Another index in the same memory: what a hostile model writes outside its own arrays is seen here. */
const bystander = await ExactIndex.fit(
  DenseMatrix.from(Array.from({ length: 200 }, (_, i) => [i % 7, i % 11, i % 13, i])),
)
const bystanderBytes = () => Buffer.concat(encodeModel(bystander.contents())).toString('latin1')
const whole = bystanderBytes()

/**
 * What is wrong with a model is said at once. What a whole model may say later: that its options do not allow a call, that it takes vectors,
 * as it has lost what reads texts, or that an item is too long once it is scaled.
 */
function isFair({ code, message }: EngineError): boolean {
  return code === 'UNSUPPORTED' || /was fitted on vectors|has length .*, expected/.test(message)
}

async function tryModel(i: number): Promise<void> {
  const { sample } = sampleOf(i)
  let step = 'load'
  const { bytes, changes } = hostileModel(i)
  const fail = (kind: string, what: unknown) => note({ i, model: sample.name, kind, step, what, changes })
  writeFileSync(hostile, bytes)
  const at = (name: string) => {
    step = name
    writeSync(progress, `${i} ${name}`.padEnd(40), 0)
  }
  let model: object | undefined
  try {
    at('load')
    const loaded = await sample.load(hostile)
    model = loaded
    const faults = await useModel(sample, loaded, saved, at)
    if (faults.length > 0) fail('nonsense', faults.slice(0, 5))
  } catch (error) {
    if (!(error instanceof EngineError)) fail('foreign', error instanceof Error ? error.stack?.slice(0, 600) : error)
    else if (step !== 'load' && !isFair(error)) fail('late', `${error.code}: ${error.message}`)
    else if (error.code === 'INTERNAL') fail('internal', error.message)
  }
  at('free')
  if (model && 'free' in model) (model as ExactIndex).free()
  if (bystanderBytes() !== whole) {
    fail('bystander changed', '')
    process.exit(3) // nothing that follows would mean anything
  }
}

for (let i = Number(from); i < Number(to); i++) await tryModel(i)
process.exit(0)
