// Makes an object of what a model file holds, in an engine that has room for it.

import { defaultEngine, type Engine, type ModelPlace, placeOptions } from '../kernels/engine.ts'
import { withRoom } from '../kernels/owned.ts'
import { checkOptions, type OptionTable } from '../options.ts'
import type { ModelContents } from './header.ts'
import { decodeModel } from './read-model.ts'

/** The bytes of a model file. */
export type ModelBytes = Uint8Array | ArrayBuffer

/** Makes an object of what a model file holds. `name` is what messages call the file. */
export type Open<Place, T> = (
  contents: ModelContents,
  options: Place & { readonly engine: Engine; readonly name?: string },
) => T | Promise<T>

/** For `fromBytes`: frees unused memory first if there is not enough. */
export async function openBytes<Place extends ModelPlace, T>(
  bytes: ModelBytes,
  place: Place,
  open: Open<Place, T>,
  table: OptionTable = placeOptions,
): Promise<T> {
  checkOptions(place, table)
  return openIn(place, contentsOfBytes(bytes), open, {})
}

/** The same for contents that were read. */
export function openIn<Place extends ModelPlace, T>(
  place: Place,
  contents: ModelContents,
  open: Open<Place, T>,
  named: { readonly name?: string },
): Promise<T> {
  const { engine = defaultEngine() } = place
  return withRoom(engine, () => open(contents, { ...place, engine, ...named }))
}

/** What the bytes of a model file hold. */
export function contentsOfBytes(bytes: ModelBytes): ModelContents {
  return decodeModel(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes)
}
