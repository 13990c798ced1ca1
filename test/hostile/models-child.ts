// Tries hostile models [from, to) in a process of its own: a model may hang it, or bring it down.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeModel, encodeModel } from '@vicinal/core/internals'
import { DenseMatrix, EngineError, ExactIndex, Random } from 'vicinal'
import { changeHeader } from './change-header.ts'
import { changeModel } from './change-model.ts'
import { noted, openNotes } from './child-notes.ts'
import { sampleModels } from './sample-models.ts'
import { useModel } from './use-model.ts'

const notes = openNotes()
const inFolder = (name: string) => join(notes.folder, name)
const samples = sampleModels.map(sample => ({ sample, bytes: new Uint8Array(readFileSync(inFolder(sample.name))) }))
const hostile = inFolder('hostile.tmp')

/** One in this many has its header's text changed. */
const headerShare = 8

/** The sample that hostile model `i` is made of. */
function sampleOf(i: number): (typeof samples)[number] {
  return samples[i % samples.length] as (typeof samples)[number] // below their number
}

function hostileModel(i: number): { bytes: Uint8Array; changes: string[] } {
  const { sample, bytes } = sampleOf(i)
  const turn = Math.floor(i / samples.length)
  if (turn % headerShare === 0) return changeHeader(bytes, new Random(i))
  const { contents, changes } = changeModel(decodeModel(bytes, sample.name), i)
  try {
    return { bytes: Buffer.concat(encodeModel(contents)), changes }
  } catch {
    return changeHeader(bytes, new Random(i)) // a change that no file can hold
  }
}

/** Another index in the same memory: what a hostile model writes outside its own arrays is seen here. */
const bystander = await ExactIndex.fit(
  DenseMatrix.from(Array.from({ length: 200 }, (_, i) => [i % 7, i % 11, i % 13, i])),
)
const bystanderBytes = () => Buffer.concat(encodeModel(bystander.contents())).toString('latin1')
const whole = bystanderBytes()

/**
 * What is wrong with a model is said at once. What a whole model may say later: that its options do not allow a call, that it takes vectors,
 * as it has lost what reads texts, that its keys have another length, or that an item is too long once it is scaled.
 */
function isFair({ code, message }: EngineError): boolean {
  return (
    code === 'UNSUPPORTED' ||
    /was fitted on vectors|numbers, the keys of this memory have|has length .*, expected/.test(message)
  )
}

async function tryModel(i: number): Promise<void> {
  const { sample } = sampleOf(i)
  let step = 'load'
  const { bytes, changes } = hostileModel(i)
  const fail = (kind: string, what: unknown) => notes.fail({ i, of: sample.name, kind, step, what, changes })
  writeFileSync(hostile, bytes)
  const at = (name: string) => {
    step = name
    notes.at(i, name)
  }
  let model: object | undefined
  try {
    at('load')
    const loaded = await sample.load(hostile)
    model = loaded
    const faults = await useModel(sample, loaded, at)
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
    process.exit(noted) // nothing that follows would mean anything
  }
}

for (let i = notes.from; i < notes.to; i++) await tryModel(i)
process.exit(0)
