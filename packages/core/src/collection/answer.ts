// Answers one search: the query becomes posting lists, a vector, or both; each finds its best rows; two rankings are fused into one.

import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import { didYouMean } from '../nearest-names.ts'
import type { Neighbor } from '../search/neighbor.ts'
import type { CollectionState } from './collection-state.ts'
import { textsOf } from './document.ts'
import type { FilteredRows } from './filters/filtered-rows.ts'
import { asks } from './filters/metadata-filter.ts'
import { fuse, measured } from './fusion.ts'
import type { Because, CollectionHit, CollectionQuery } from './search-request.ts'
import type { AskedList, Boosts } from './text/text-index.ts'
import { preparedVector } from './vectors/prepared-vector.ts'

/** Scoring listed rows one by one pays off if there are this many times fewer of them than postings. */
const seekCost = 4

/** What is searched for. */
interface Asked {
  readonly lists: readonly AskedList[] | undefined
  readonly vector: Float32Array | undefined
  /** A row to leave out. */
  readonly self: number | undefined
}

/** Rows of one ranking, best first. */
interface Found {
  readonly rows: readonly number[]
  readonly scores: readonly number[]
  readonly distances?: readonly number[]
}

/** The query is checked. */
export function answer<Metadata extends object>(
  state: CollectionState<Metadata>,
  query: CollectionQuery<Metadata>,
): CollectionHit<Metadata>[] {
  const { k = 10, offset = 0 } = query
  const asked = askedBy(state, query)
  const most = Math.min(k + offset, state.table.live)
  if (most === 0) return []
  const { lists, vector } = asked
  const passing = passingRows(state, query, asked)
  if (passing?.rows.length === 0) return []
  if (lists && vector) return answerBoth(state, query, asked, passing, most).slice(offset)
  const found = lists ? byWords(state, asked, lists, passing, most) : byVector(state, query, asked, passing, most)
  const words = lists && state.text.matches(lists, Uint32Array.from(found.rows.slice(offset)))
  return found.rows.slice(offset).map((row, i) => {
    const distance = found.distances?.[offset + i]
    return hitOf(state, row, found.scores[offset + i], distance, words && { words: words[i] })
  })
}

function answerBoth<Metadata extends object>(
  state: CollectionState<Metadata>,
  query: CollectionQuery<Metadata>,
  asked: Asked,
  passing: FilteredRows<Metadata> | undefined,
  most: number,
): CollectionHit<Metadata>[] {
  const { fusion = 'scores', weights = {} } = query
  const depth = Math.max(measured, 2 * most)
  const lists = asked.lists ?? []
  const [text, vector] = [byWords(state, asked, lists, passing, depth), byVector(state, query, asked, passing, depth)]
  const rankings = [{ ...text, missing: 0 }, vector] // BM25 gives 0 to a document without the words
  const fused = fuse(fusion, rankings, [weights.text ?? 1, weights.vector ?? 1]).slice(0, most)
  const words = state.text.matches(
    lists,
    Uint32Array.from(fused, ({ row }) => row),
  )
  return fused.map(({ row, score }, i) => {
    const [textPlace, vectorPlace] = [text.rows.indexOf(row), vector.rows.indexOf(row)]
    return hitOf(state, row, score, vector.distances?.[vectorPlace], {
      words: words[i],
      ...(textPlace >= 0 && { textRank: textPlace + 1 }),
      ...(vectorPlace >= 0 && { vectorRank: vectorPlace + 1 }),
    })
  })
}

function askedBy<Metadata extends object>(state: CollectionState<Metadata>, query: CollectionQuery<Metadata>): Asked {
  const { text, vector, like, prefix = false, typos = false } = query
  const boosts = boostsOf(state, query)
  if (like !== undefined) return askedLike(state, like, boosts)
  const { metric, dims } = state.vectors
  return {
    lists: text === undefined ? undefined : state.text.listsFor(text, { prefix, typos, boosts }),
    vector: vector === undefined ? undefined : preparedVector(vector, metric, dims, 'the vector of your search'),
    self: undefined,
  }
}

function askedLike<Metadata extends object>(state: CollectionState<Metadata>, like: Id, boosts: Boosts): Asked {
  const entry = state.table.get(like)
  if (!entry) {
    throw new EngineError('UNKNOWN_NAME', `like is ${JSON.stringify(like)}, but there is no document with this id`)
  }
  const texts = textsOf(entry.document)
  const [hasTexts, key] = [Object.keys(texts).length > 0, entry.vectorKey]
  if (!hasTexts && key === undefined) {
    throw new EngineError(
      'INVALID_OPTION',
      `document ${JSON.stringify(like)} has neither a text nor a vector to compare`,
    )
  }
  return {
    lists: hasTexts ? state.text.listsLike(texts, boosts) : undefined,
    vector: key === undefined ? undefined : state.vectors.get(key),
    self: entry.row,
  }
}

/** The weight of each field in this search. */
function boostsOf<Metadata extends object>(
  { settings, text }: CollectionState<Metadata>,
  { fields }: CollectionQuery<Metadata>,
): Boosts {
  if (fields !== undefined) checkFieldNames(fields, [...text.fields.keys()], ['text', ...Object.keys(settings.boosts)])
  if (fields !== undefined && !Array.isArray(fields)) return fields as Boosts // a list or boosts: checked
  const names = (fields as readonly string[] | undefined) ?? [...text.fields.keys()]
  return Object.fromEntries(names.map(name => [name, settings.boosts[name] ?? 1]))
}

/** A field that no document ever had is a mistake, unless `boosts` names it or no document came yet. */
function checkFieldNames(fields: object, met: readonly string[], named: readonly string[]): void {
  const asked: string[] = Array.isArray(fields) ? fields : Object.keys(fields)
  const unknown = asked.find(name => !met.includes(name) && !named.includes(name))
  if (unknown === undefined || met.length === 0) return
  const known = [...new Set([...met, ...named])]
  throw new EngineError('UNKNOWN_NAME', `fields has "${unknown}", but no document has a field of that name`, {
    hint: `${didYouMean(unknown, known) ?? `The fields are ${known.join(', ')}.`} Name fields that come later in boosts.`,
  })
}

/** Undefined if all rows pass, or if a function is called for the nearest rows only. */
function passingRows<Metadata extends object>(
  state: CollectionState<Metadata>,
  { filter }: CollectionQuery<Metadata>,
  { lists }: Asked,
): FilteredRows<Metadata> | undefined {
  if (filter === undefined || (typeof filter === 'function' && !lists)) return undefined
  return state.filters.open(filter)
}

function byWords<Metadata extends object>(
  state: CollectionState<Metadata>,
  { self }: Asked,
  lists: readonly AskedList[],
  passing: FilteredRows<Metadata> | undefined,
  most: number,
): Found {
  const { text, masks, listMask, table } = state
  const wanted = Math.min(table.live, self === undefined ? most : most + 1)
  const postings = lists.reduce((sum, { size }) => sum + size, 0)
  const visible = !passing
    ? { mask: masks.visible(table.rows) }
    : passing.rows.length * lists.length * seekCost < postings
      ? { listed: passing.rows }
      : { mask: listMask.of(passing.rows, table.rows) }
  const found = text.search(lists, wanted, visible)
  return without(self, { rows: [...found.rows], scores: [...found.scores] }, most)
}

function byVector<Metadata extends object>(
  state: CollectionState<Metadata>,
  { filter }: CollectionQuery<Metadata>,
  { vector, self }: Asked,
  passing: FilteredRows<Metadata> | undefined,
  most: number,
): Found {
  const { table, vectors } = state
  const entryOf = (key: Id) => table.withVector(key as number) // all keys are numbers
  const isPassing = passing && ((key: Id) => passing.has(entryOf(key)?.row ?? -1))
  const isAsked = (key: Id) => {
    const entry = entryOf(key)
    return entry !== undefined && typeof filter === 'function' && asks(filter, entry.document)
  }
  const wanted = self === undefined ? most : most + 1
  const found: Neighbor[] = !vector
    ? []
    : isPassing
      ? vectors.search(vector, wanted, isPassing, passing)
      : vectors.search(vector, wanted, typeof filter === 'function' ? isAsked : undefined)
  const distances = found.map(({ distance }) => distance)
  const scores = distances.map(distance => similarity(distance, vectors.metric))
  return without(self, { rows: found.map(({ id }) => entryOf(id)?.row ?? -1), scores, distances }, most)
}

/** Leaves out the query document; returns at most `most`. */
function without(self: number | undefined, { rows, scores, distances }: Found, most: number): Found {
  const places = rows.map((_, i) => i).filter(i => rows[i] !== self)
  const pick = (numbers: readonly number[]) => places.slice(0, most).map(i => numbers[i])
  return { rows: pick(rows), scores: pick(scores), ...(distances && { distances: pick(distances) }) }
}

function similarity(distance: number, metric: DenseMetric): number {
  if (metric === 'euclidean') return 1 / (1 + distance)
  return metric === 'cosine' ? 1 - distance : -distance
}

function hitOf<Metadata extends object>(
  { table }: CollectionState<Metadata>,
  row: number,
  score: number,
  distance: number | undefined,
  because: Because | undefined,
): CollectionHit<Metadata> {
  const entry = table.at(row)
  if (!entry) throw new EngineError('INTERNAL', `row ${row} was found, but it was removed`)
  const { document } = entry
  return { id: document.id, score, ...(distance !== undefined && { distance }), document, ...(because && { because }) }
}
