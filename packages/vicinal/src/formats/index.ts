// The formats that need a library. Each loads its library when it is first used.

import type { Format } from '@vicinal/core/data'
import { hdf5 } from './hdf5-format.ts'
import { parquet } from './parquet-format.ts'

export { hdf5, parquet }

/** To be registered beside core's own formats. */
export const libraryFormats: readonly Format[] = Object.freeze([parquet, hdf5])
