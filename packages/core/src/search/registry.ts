// Indexes by the name of their kind, for commands, servers and index files. A new kind is one more line here, or registered.

import { EngineError, quoted, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { readAhead } from '../ids/load-ahead.ts'
import { type Engine, type LoadOptions, loadOptions, type ModelPlace } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import type { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { jobOf, otherModel, unregistered } from '../model-kinds.ts'
import { checkFunction, checkObject, checkOptions, checkText, checkTexts } from '../options.ts'
import { readPlaced, writeModel } from '../store/files/model-file.ts'
import type { AtomicWriteOptions } from '../store/files/write-options.ts'
import type { ModelContents } from '../store/header.ts'
import type { JsonObject } from '../store/json.ts'
import type { ModelBytes } from '../store/open-model.ts'
import { contentsOf } from '../store/saveable.ts'
import { ExactIndex } from './exact/exact-index.ts'
import { placedTensors } from './forest/contents.ts'
import { forestEfforts } from './forest/efforts.ts'
import { ForestIndex } from './forest/forest-index.ts'
import { forestDefaults } from './forest/options.ts'
import { InvertedIndex } from './inverted/inverted-index.ts'
import type { NeighborArrays } from './neighbor-batch.ts'
import {
  checkIndex,
  layoutOf,
  type QueryOptions,
  requireVectors,
  type SearchIndex,
  type VectorBatchOptions,
  type VectorLayout,
  type Vectors,
} from './search-index.ts'
import { effortOf, sparseEfforts, sparseForestDefaults } from './sparse-forest/options.ts'
import { SparseForestIndex } from './sparse-forest/sparse-forest-index.ts'

/** Options by name; the kind checks them. */
type NamedOptions = Readonly<Record<string, unknown>>

/** What `fit` of every kind of index takes. */
export interface IndexFitOptions extends LongWork {
  /** Your ids, one per row, all different. Default: the row numbers. */
  readonly ids?: readonly Id[]
  /** The engine whose memory holds the index. Default: the shared engine. */
  readonly engine?: Engine
  /** Number of worker threads. Default: one per core. The index is the same for any number. */
  readonly threads?: number
}

/** A registered index kind: how to fit and load it by name. */
export interface IndexKind {
  readonly name: string
  /** The name of a kind for vectors of the other layout whose counterpart it is: it goes by that name too. */
  readonly counterpart?: string
  /** The vectors it takes, as rows and as queries. */
  readonly data: VectorLayout
  /** All that it takes: an index of the kind has one of them. Default: `data` alone. */
  readonly layouts: readonly VectorLayout[]
  /** Every option of fitting with its default. */
  readonly defaults: NamedOptions
  /** Fits an index of this kind. */
  fit(vectors: Vectors, options?: NamedOptions & IndexFitOptions): Promise<SearchIndex>
  /** Restores the contents of an index file; errors refer to it by `name`. */
  load(contents: ModelContents, place: { readonly engine?: Engine; readonly name?: string }): SearchIndex
  /** Every search option of this index except `k`, with its default. */
  searchDefaults(index: SearchIndex): NamedOptions
  /** Query options worth trying, for a curve of recall against time: from the quickest to the most thorough. */
  efforts(index: SearchIndex): readonly QueryOptions[]
  /** The true neighbors of the queries among the rows of `index`, an index of this kind. */
  truth(index: SearchIndex, queries: Vectors, options: VectorBatchOptions): Promise<NeighborArrays>
}

/** An index from a file, with what the file says about it. */
export interface OpenedIndex {
  readonly kind: IndexKind
  readonly index: SearchIndex
  /** The options it was fitted with. */
  readonly options: JsonObject
  /** What fitting took; null if the file does not say. */
  readonly buildSeconds: number | null
}

/** The first kind that takes dense vectors is the default for them; the same goes for sparse ones. */
const kinds: IndexKind[] = [
  defineKind<DenseMatrix>({
    name: 'forest',
    data: 'dense',
    defaults: { metric: 'euclidean', ...forestDefaults },
    fit: (rows, options) => ForestIndex.fit(rows, options),
    load: (contents, place) => ForestIndex.fromContents(contents, place),
    // An index of this kind is a ForestIndex.
    searchDefaults: index => ({ ...(index as ForestIndex).effort }),
    efforts: index => forestEfforts(index as ForestIndex).map(effort => ({ ...effort })),
    truth: (index, queries, options) => (index as ForestIndex).exactBatch(queries as DenseMatrix, options),
  }),
  defineKind<DenseMatrix>({
    name: 'exact',
    data: 'dense',
    defaults: { metric: 'euclidean' },
    fit: (rows, options) => ExactIndex.fit(rows, options),
    load: (contents, place) => ExactIndex.fromContents(contents, place),
  }),
  defineKind<SparseMatrix>({
    name: 'inverted',
    data: 'sparse',
    defaults: { metric: 'cosine', partitionBest: 100 },
    fit: (rows, options) => InvertedIndex.fit(rows, options),
    load: (contents, place) => InvertedIndex.fromContents(contents, place),
    searchDefaults: () => ({ algorithm: 'auto' }),
  }),
  defineKind<SparseMatrix>({
    name: 'sparse-forest',
    counterpart: 'forest',
    data: 'sparse',
    defaults: { ...sparseForestDefaults },
    fit: (rows, options) => SparseForestIndex.fit(rows, options),
    load: (contents, place) => SparseForestIndex.fromContents(contents, place),
    // An index of this kind is a SparseForestIndex.
    searchDefaults: index => ({ ...effortOf((index as SparseForestIndex).settings) }),
    efforts: index => sparseEfforts((index as SparseForestIndex).settings).map(effort => ({ ...effort })),
    truth: (index, queries, options) => (index as SparseForestIndex).exactBatch(queries as SparseMatrix, options),
  }),
]

/** Tensors of files of these kinds that are read straight into the engine's memory. */
function placedOf(method: string): readonly string[] {
  return method === 'forest' || method === 'exact' ? placedTensors : []
}

/** Registers an index kind: your own, or one from a separate entry point. */
export function registerIndexKind(kind: IndexKind): void {
  checkKind(kind)
  if (kinds.some(({ name }) => name === kind.name)) {
    throw new EngineError('INVALID_OPTION', `there is already a kind of index called ${kind.name}`)
  }
  kinds.push(kind)
}

function checkKind(kind: IndexKind): void {
  checkObject('kind', kind, 'a kind of index with a name')
  for (const part of ['name', 'data'] as const) checkText(`kind.${part}`, kind[part])
  checkTexts('kind.layouts', kind.layouts)
  for (const part of ['fit', 'load', 'searchDefaults', 'efforts', 'truth'] as const)
    checkFunction(`kind.${part}`, kind[part])
}

/** All registered kinds of indexes. */
export function indexKinds(): string[] {
  return kinds.map(({ name }) => name)
}

/** The index kind with that name. If it does not take `data` vectors, its counterpart that does, if there is one. */
export function findIndexKind(name: string, data?: VectorLayout): IndexKind {
  const found = kinds.find(kind => kind.name === name)
  if (found) return kinds.find(kind => kind.counterpart === name && kind.data === data) ?? found
  throw new EngineError('UNKNOWN_NAME', `unknown kind of index ${quoted(name)}`, { hint: knownKinds() })
}

/** The default kind. */
export function defaultIndexKind(data: VectorLayout): IndexKind {
  const found = kinds.find(kind => kind.data === data) ?? kinds.find(({ layouts }) => layouts.includes(data))
  if (found) return found
  throw new EngineError('UNKNOWN_NAME', `no kind of index takes ${shown(data)} rows`, { hint: knownKinds() })
}

function knownKinds(): string {
  return `Known kinds: ${indexKinds().join(', ')}.${indexKinds().includes('net') ? '' : ' The net is in @vicinal/core/margin.'}`
}

/** Loads an index of any kind, from a path or from bytes. */
export async function loadIndex(source: string | ModelBytes, options: LoadOptions = {}): Promise<OpenedIndex> {
  checkOptions(options, loadOptions)
  const { signal, ...place } = options
  if (typeof source === 'string') {
    return readPlaced(source, place, placedOf, async (contents, engine) => {
      await readAhead(contents, { signal })
      return openedOf(contents, { ...place, engine }, source)
    })
  }
  const { contents, name } = await contentsOf(source)
  await readAhead(contents, { signal })
  return openedOf(contents, place, name)
}

function openedOf(contents: ModelContents, place: ModelPlace, name: string): OpenedIndex {
  const kind = kinds.find(kind => kind.name === contents.method)
  if (!kind && jobOf(contents.method) === 'index') throw unregistered(contents.method, name, 'registerIndexKind')
  if (!kind) throw otherModel(contents.method, name, 'index')
  const { buildSeconds } = contents.meta
  return {
    kind,
    index: kind.load(contents, { ...place, name }),
    options: contents.options,
    buildSeconds: typeof buildSeconds === 'number' ? buildSeconds : null,
  }
}

/** Saves an index together with what fitting it took. Returns the options that the file keeps. */
export async function saveIndex(
  path: string,
  opened: Pick<OpenedIndex, 'index' | 'buildSeconds'>,
  options: AtomicWriteOptions = {},
): Promise<JsonObject> {
  checkObject('opened', opened, 'an object with an index')
  const { index, buildSeconds } = opened
  checkIndex(index)
  const contents = index.contents()
  await writeModel(path, { ...contents, meta: { ...contents.meta, buildSeconds } }, options)
  return contents.options
}

/** What differs between kinds; most have no effort to tune, and are exact. */
interface KindParts<Rows>
  extends Pick<IndexKind, 'name' | 'counterpart' | 'data' | 'defaults' | 'load'>,
    Partial<Pick<IndexKind, 'layouts' | 'searchDefaults' | 'efforts' | 'truth'>> {
  /** `Rows` are what `data` says. */
  fit(rows: Rows, options: NamedOptions & IndexFitOptions): Promise<SearchIndex>
}

export function defineKind<Rows extends Vectors>(parts: KindParts<Rows>): IndexKind {
  const { name, data, layouts = [data] } = parts
  const taker = `the index kind "${name}"`
  const layoutFor = (vectors: Vectors) => layouts.find(layout => layout === layoutOf(vectors)) ?? data
  return Object.freeze({
    layouts,
    searchDefaults: () => ({}),
    efforts: () => [{}],
    truth: (index: SearchIndex, queries: Vectors, options: VectorBatchOptions) => index.searchBatch(queries, options),
    ...parts,
    defaults: Object.freeze(parts.defaults),
    // Checked: the rows have the layout that the kind takes.
    fit: async (vectors: Vectors, options = {}) =>
      parts.fit(requireVectors(vectors, layoutFor(vectors), taker) as Rows, options),
  })
}
