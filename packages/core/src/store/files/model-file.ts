// Models in files. Bundlers for pages use no-files.ts instead (see package.json): pages have no files.

import { defaultEngine, type Engine, type ModelPlace, placeOptions } from '../../kernels/engine.ts'
import { withRoom } from '../../kernels/owned.ts'
import { begunInTurns, inTurns, type Steps, shortTurn } from '../../long-work.ts'
import { checkOptions, type OptionTable } from '../../options.ts'
import type { ModelContents } from '../header.ts'
import { type Open, openIn } from '../open-model.ts'
import type { Header } from '../parse-header.ts'
import { headerSteps, type MakeRoom, type ReadSteps, readContents } from '../read-model.ts'
import { arrayTypes, elementCount, type TensorArray } from '../tensor.ts'
import { encodeInSteps } from '../write-model.ts'
import { writeAtomically } from './atomic-file.ts'
import { type ReadAt, withFile } from './open-file.ts'
import { type AtomicWriteOptions, checkWriteOptions } from './write-options.ts'

/** Reads a model file piece by piece. */
export async function readModel(path: string, makeRoom?: MakeRoom): Promise<ModelContents> {
  return withFile(path, (read, fileBytes) => readSteps(read, readContents(fileBytes, path, makeRoom)))
}

async function readSteps<T>(read: ReadAt, steps: ReadSteps<T>): Promise<T> {
  let step = steps.next()
  for (; !step.done; step = steps.next()) await read(step.value.target, step.value.at)
  return step.value
}

/** The header alone. */
export async function readHeader(read: ReadAt, fileBytes: number, name: string): Promise<Header> {
  return (await readSteps(read, headerSteps(fileBytes, name))).header
}

/** For `load`: frees unused memory first if there is not enough. */
export async function openFile<Place extends ModelPlace, T>(
  path: string,
  place: Place,
  open: Open<Place, T>,
  table: OptionTable = placeOptions,
  placed?: PlacedTensors,
): Promise<T> {
  checkOptions(place, table)
  if (placed)
    return readPlaced(path, place, placed, (contents, engine) => open(contents, { ...place, engine, name: path }))
  return openIn(place, await readModel(path), open, { name: path })
}

/** Names of the tensors that `open` gives to `Arena.place`, and keeps nowhere else: these are read straight into the engine's memory. */
export type PlacedTensors = (method: string) => readonly string[]

/** Reads a model file, without holding its large tensors in JavaScript's memory on the way if the engine's memory is shared. */
export async function readPlaced<T>(
  path: string,
  { engine = defaultEngine() }: ModelPlace,
  placed: PlacedTensors,
  open: (contents: ModelContents, engine: Engine) => T | Promise<T>,
): Promise<T> {
  return withRoom(engine, async () => {
    const room = engine.arena.within()
    const makeRoom: MakeRoom = ({ name, dtype, shape }, method) => {
      if (!engine.shared || !placed(method).includes(name)) return undefined
      return room.allocateToPlace<TensorArray>(arrayTypes[dtype], elementCount(shape), `"${name}"`)
    }
    try {
      return await open(await readModel(path, makeRoom), engine)
    } finally {
      room.free()
    }
  })
}

/** Writes a temporary file and renames it; FILE_EXISTS if a file is there and `overwrite` was not asked for. Lets other code run in the meantime. */
export async function writeModel(
  path: string,
  contents: ModelContents,
  options: AtomicWriteOptions = {},
): Promise<void> {
  await writeAtomically(path, options, async write => {
    for (const chunk of await inTurns(encodeInSteps(contents), { signal: options.signal }, { turnMillis: shortTurn }))
      await write(chunk)
  })
}

/** For `save`: collects the contents in turns and writes them. */
export async function saveContents(
  path: string,
  begin: () => Steps<ModelContents>,
  options: AtomicWriteOptions,
): Promise<void> {
  checkWriteOptions(options)
  await writeModel(path, await begunInTurns(begin(), { signal: options.signal }), options)
}
