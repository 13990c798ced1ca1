// Restores a memory from a model file, with everything that was learned and the state of its random generators, so that the loaded memory
// continues exactly like the saved one. `pack-memory.ts` writes the file.

import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { Engine } from '../kernels/engine.ts'
import type { Steps } from '../long-work.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { requireMethod } from '../model-kinds.ts'
import { Random } from '../random.ts'
import type { ModelContents } from '../store/header.ts'
import { isJsonObject, parseJson } from '../store/json.ts'
import { StoredParts } from '../store/stored-parts.ts'
import { isGivenLearner, type Learner } from './learning/learner.ts'
import { LinearModel, type LinearModelPlace } from './learning/linear-model.ts'
import { type Calibration, newScorerModel, Scorer, startCalibration } from './learning/scorer.ts'
import { checkMemory } from './memory-check.ts'
import { type Clock, checkedClock } from './memory-clock.ts'
import { KeyReader, type KeyShape, keyKinds } from './memory-key.ts'
import { type MemorySettings, resolveMemoryOptions } from './memory-options.ts'
import { freeState, type MemoryState, modelPlace, newIndex, treeCount, treeParts } from './memory-state.ts'
import { MemoryTable, slotsByAge } from './table/memory-table.ts'
import { unpackTree } from './tree/tree-contents.ts'

/** Memories between two steps. */
const stepMemories = 128

/** createdAt, expiresAt */
export const timeFields = 2
/** As a time: never. */
export const never = -1

/** born, touched, reward, rewards */
export const historyFields = 4

/** Steeper scorers know only 0 and 1: learning goes by hundredths, and the less the surer it is. */
const steepest = 1e6

/** Of the contents. */
export const format = 4
/** Files of this older format are read too: what they lack was not learned yet. */
const oldestFormat = 3

/** The method name in files. */
export const storedMemory = 'memory'

/** The state that `packMemory` of `pack-memory.ts` packed; `name` is what messages call the file. */
export function* unpackMemory(
  contents: ModelContents,
  engine: Engine,
  name: string,
  { learner, clock }: { readonly learner?: Learner | undefined; readonly clock?: Clock | undefined } = {},
): Steps<MemoryState> {
  requireMethod(contents, name, storedMemory)
  const stored = new StoredParts(contents, name)
  checkFormat(stored, name)
  checkLearner(contents.options.learner, learner, name)
  const options = learner ? { ...contents.options, learner } : contents.options
  const settings = stored.checked(() => resolveMemoryOptions(options))
  const place = modelPlace(engine)
  const table = new MemoryTable(engine.arena)
  let isWhole = false
  try {
    const state = yield* readState(stored, engine, settings, place, table)
    isWhole = true
    return { ...state, now: checkedClock(clock) }
  } finally {
    if (!isWhole) freeState({ table, place })
  }
}

function checkFormat(stored: StoredParts, name: string): void {
  const given = stored.contents.meta.format ?? 1
  if (typeof given === 'number' && given >= oldestFormat && given <= format && Number.isInteger(given)) return
  if (!Number.isInteger(given) || Number(given) < 1) stored.refuse(`its format is ${JSON.stringify(given)}`)
  const where = { file: name }
  if (typeof given === 'number' && given > format) {
    throw new EngineError('FORMAT_TOO_NEW', `the memory has format ${given}, this Vicinal reads ${format}`, { where })
  }
  throw new EngineError('UNKNOWN_FORMAT', 'this memory was saved by a version before the first release', {
    where,
    hint: 'Export its memories with that version, and insert them into a new memory.',
  })
}

/** A custom learner cannot be stored; it has to be passed again, with the same name. */
function checkLearner(stored: unknown, given: Learner | undefined, name: string): void {
  if (given ? given.name === stored : typeof stored !== 'string' || isGivenLearner(stored)) return
  const message = given
    ? `the memory was created with the learner '${stored}', but you gave '${given.name}'`
    : `the memory was created with the custom learner '${stored}', but you gave none`
  throw new EngineError('INVALID_OPTION', message, {
    where: { file: name },
    hint: 'Pass the learner that the memory was created with: { learner }.',
  })
}

function* readState(
  stored: StoredParts,
  engine: Engine,
  settings: MemorySettings,
  place: LinearModelPlace,
  table: MemoryTable,
): Steps<Omit<MemoryState, 'now'>> {
  const shape = readShape(stored)
  yield* fillTable(stored, table, shape)
  const { capacity } = settings
  if (capacity > 0 && table.count > capacity) {
    stored.refuse(`there are ${table.count} memories, at most ${capacity} are allowed`)
  }
  const parts = treeParts(place, table, settings)
  const nextNumbers = stored.numbers('nextNumbers', treeCount(settings))
  const state = {
    ...{ engine, settings, place, table },
    index: newIndex(engine, table, settings),
    trees: nextNumbers.map((nextNumber, i) => unpackTree(`tree${i}`, stored, parts, nextNumber)),
    scorer: readScorer(stored, place),
    reader: stored.checked(() => new KeyReader(settings.text, shape)),
    random: Random.fromState(stored.numbers('random', 4)),
    time: stored.whole('time'),
    explorations: stored.whole('explorations'),
  }
  yield* indexAll(state)
  const [fault] = checkMemory(state)
  return fault === undefined ? state : stored.refuse(fault)
}

/** In insertion order, which breaks ties. */
function* indexAll({ index, table, reader }: Pick<MemoryState, 'index' | 'table' | 'reader'>): Steps<void> {
  if (!index) return
  const { shape } = reader
  if (!shape) return
  for (const [i, slot] of slotsByAge(table).entries()) {
    index.add(slot, shape)
    if (i % stepMemories === 0) yield i
  }
}

function* fillTable(stored: StoredParts, table: MemoryTable, shape: KeyShape | undefined): Steps<void> {
  const count = stored.whole('memories')
  const ids = (yield* stored.namesInSteps('ids')) ?? []
  const values = (yield* stored.namesInSteps('values')) ?? []
  const texts = yield* stored.namesInSteps('texts')
  const namespaces = yield* stored.namesInSteps('namespaces')
  const metadata = yield* stored.namesInSteps('metadata')
  const topics = yield* stored.namesInSteps('learnedAs')
  const times = stored.array('times', Float64Array, timeFields * count)
  const history = stored.array('history', Float64Array, historyFields * count)
  const keys = readKeys(stored, count)
  const isWhole = (names: readonly string[] | undefined) => names === undefined || names.length === count
  if (ids.length !== count || values.length !== count || ![texts, namespaces, metadata, topics].every(isWhole)) {
    stored.refuse(`it does not have one id and one value for each of its ${count} memories`)
  }
  if (count > 0 && (!shape || hasTexts(shape) !== (texts !== undefined))) {
    stored.refuse('its keys do not match its description')
  }
  if (!history.every(Number.isFinite)) stored.refuse('the history of a memory is not a number')
  if (!times.every(time => Number.isFinite(time) && time >= never))
    stored.refuse('the time of a memory is not a number')
  for (const [slot, key] of keys.entries()) {
    if (slot % stepMemories === 0) yield slot
    const id = stored.checked(() => table.checkId(JSON.parse(ids[slot]) as Id)) // checkId takes anything
    const [born, touched, reward, rewards] = history.subarray(historyFields * slot)
    stored.checked(() => parseJson('a value', values[slot]))
    const text = texts && stored.checked(() => String(JSON.parse(texts[slot])))
    const namespace = namespaces && readNamespace(stored, namespaces[slot])
    const [createdAt, expiry] = times.subarray(timeFields * slot)
    const expiresAt = expiry === never ? undefined : expiry
    const facts = metadata && readMetadata(stored, metadata[slot])
    const value = values[slot]
    const learnedAs = topics?.[slot] || undefined
    table.add(
      { id, value, learnedAs, text, namespace, metadata: facts, createdAt, expiresAt, born, touched, reward, rewards },
      key,
    )
  }
  table.nextId = stored.whole('nextId')
}

function hasTexts({ kind }: KeyShape): boolean {
  return kind === 'text' || kind === 'hybrid'
}

function readMetadata(stored: StoredParts, json: string): string | undefined {
  const object: unknown = stored.checked(() => parseJson('metadata', json))
  if (object === null) return undefined
  return isJsonObject(object) ? json : stored.refuse(`the metadata of a memory is ${json}`)
}

function readNamespace(stored: StoredParts, json: string): string | undefined {
  const name: unknown = stored.checked(() => JSON.parse(json))
  if (name === null) return undefined
  return typeof name === 'string' && name !== '' ? name : stored.refuse(`a namespace is ${json}`)
}

function readKeys(stored: StoredParts, count: number): SparseRow[] {
  const sizes = stored.array('keySizes', Uint32Array, count)
  const features = stored.array('keyFeatures', Uint32Array)
  const values = stored.array('keyValues', Float32Array, features.length)
  if (!values.every(Number.isFinite)) stored.refuse('a value of a key is not a number')
  const offsets = new Float64Array(count + 1)
  sizes.forEach((size, slot) => {
    offsets[slot + 1] = offsets[slot] + size
  })
  const rows = stored.checked(() => new SparseMatrix(count, 2 ** 32 - 1, offsets, features, values))
  return Array.from(sizes, (_, slot) => rows.row(slot))
}

function readScorer(stored: StoredParts, place: LinearModelPlace): Scorer {
  const weights = LinearModel.fromWords(place, stored.array('scorer', Uint32Array))
  const isOld = stored.contents.meta.format === oldestFormat
  const opinions = isOld ? newScorerModel(place) : LinearModel.fromWords(place, stored.array('opinions', Uint32Array))
  const given = stored.contents.meta.calibration
  const calibration = { ...(isOld && startCalibration), ...(isJsonObject(given) && given) }
  const isUsual = (name: string) => Math.abs(Number(calibration[name as keyof Calibration] ?? Number.NaN)) <= steepest
  const { rewards, ...factors } = startCalibration
  if (!weights || !opinions || !Object.keys(factors).every(isUsual) || !Number.isFinite(calibration.rewards)) {
    return stored.refuse('its scorer is not valid')
  }
  // Compared: all are numbers.
  return new Scorer(place, { weights, opinions }, calibration as Calibration)
}

function readShape(stored: StoredParts): KeyShape | undefined {
  const { keys } = stored.contents.meta
  if (keys === undefined) return undefined
  const kind = isJsonObject(keys) ? keyKinds.find(known => known === keys.kind) : undefined
  const dims = isJsonObject(keys) ? keys.dims : undefined
  if (kind && typeof dims === 'number' && Number.isSafeInteger(dims) && dims >= 0) return { kind, dims }
  return stored.refuse('it does not say what its keys are')
}
