// Making links between rows: from neighbor lists when an index is fitted, and for single rows that are added. The work is done by
// assembly/forest/links.ts.

import type { NeighborLists } from '../../../forest/label-source.ts'
import type { Scope, Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import { noLink, searchedBlock } from '../../../kernels/generated/blocks/dense-forest.ts'
import { roomBytes } from '../../../kernels/generated/blocks/rooms.ts'
import { forestKernels } from '../../../kernels/sets/forest.ts'
import { inTurns, type LongWork, type Steps } from '../../../long-work.ts'
import { type Searched, writeSearched } from '../block.ts'
import type { RowLinks } from './row-links.ts'

/** Rows with codes: what linking needs. */
export type Linked = Omit<Searched, 'forest' | 'treesSeeSketch' | 'links'>

export interface Linking extends LongWork {
  readonly searched: Linked
  readonly lists: NeighborLists
  /** Links of a row, at most. */
  readonly width: number
  /** Rows that get no links, and that no row is linked with. */
  readonly hidden?: Uint32Array | undefined
  readonly threads?: number | undefined
}

/**
 * A candidate stays out if a link is nearer to it than the row is, even if its squared distance is multiplied by this factor. More
 * keeps more links: 1.3 found the same with the fewest codes compared on sentence vectors and images.
 */
export const slack = 1.3
const rowsPerJob = 256

/** Links of all rows with their neighbors, in both directions. */
export async function linkRows(engine: Engine, linking: Linking): Promise<Slice<Uint32Array>> {
  const { searched, lists, width, hidden, threads, signal, onProgress } = linking
  const { rows } = searched.rows
  const scope = engine.arena.scope()
  const links = engine.arena.allocate(Uint32Array, rows * width, 'links between rows')
  try {
    const index = placeIndex(scope, searched, links.pointer, width)
    const mask = hidden ? placeMask(scope, rows, hidden) : 0
    const [listed, counts] = [scope.place(lists.rows, 'neighbors'), scope.place(lists.counts)]
    const run = async (kernel: 'linkRows' | 'joinLinks', most: number, fields: readonly number[]) => {
      const jobs: number[][] = []
      for (let from = 0; from < rows; from += rowsPerJob) {
        jobs.push([index, ...fields, from, Math.min(rows, from + rowsPerJob)])
      }
      const work = { scratchBytes: scratchBytes(engine, scope, index, most), what: 'linking rows', signal, onProgress }
      await engine.pool(threads).run(forestKernels, kernel, jobs, work)
    }
    await run('linkRows', lists.k, [listed.pointer, counts.pointer, lists.k, mask, slack, links.pointer])
    listed.free()
    const back = await inTurns(turnAround(scope, links, rows, width), { signal })
    // In place: joining a row's links looks at no other row's.
    await run('joinLinks', back.most, [back.most, back.offsets.pointer, back.rows.pointer, slack, links.pointer])
    return links
  } catch (error) {
    links.free()
    throw error
  } finally {
    scope.free()
  }
}

/** Links the newest row with near rows, and these with it. */
export function linkNewest(engine: Engine, searched: Linked, links: RowLinks, near: Uint32Array): void {
  links.extend()
  const scope = engine.arena.scope()
  try {
    const index = placeIndex(scope, searched, links.pointer, links.width)
    const bytes = scratchBytes(engine, scope, index, Math.max(near.length, links.width + 1))
    const scratch = scope.allocate(Uint8Array, bytes).pointer
    const kernels = engine.exactKernels(forestKernels)
    kernels.linkRow(scratch, index, links.rows - 1, scope.place(near).pointer, near.length, slack)
  } finally {
    scope.free()
  }
}

function placeIndex(scope: Scope, searched: Linked, pointer: number, width: number): number {
  const index = scope.allocate(Uint32Array, searchedBlock.length)
  writeIndex(index, searched, { pointer, width })
  return index.pointer
}

/** What linking kernels read: no trees. */
export function writeIndex(
  index: Slice<Uint32Array>,
  searched: Linked,
  { pointer, width }: Pick<RowLinks, 'pointer' | 'width'>,
): void {
  writeSearched(index.array, { ...searched, links: { pointer, width }, forest: 0, treesSeeSketch: true })
}

export function placeMask(scope: Scope, rows: number, hidden: Iterable<number>): number {
  const mask = scope.allocate(Uint8Array, rows, 'a mask of rows')
  mask.array.fill(1)
  for (const row of hidden) mask.array[row] = 0
  return mask.pointer
}

export function scratchBytes(engine: Engine, scope: Scope, index: number, most: number): number {
  return engine.exactKernels(forestKernels).linkScratchBytes(scope.allocate(Uint8Array, roomBytes).pointer, index, most)
}

interface LinkedBy {
  readonly offsets: Slice<Uint32Array>
  readonly rows: Slice<Uint32Array>
  readonly most: number
}

const linksPerStep = 2 ** 17

/** For each row the rows that are linked with it, in order, as CSR; and the most that a row has of both kinds. */
function* turnAround(scope: Scope, own: Slice<Uint32Array>, rows: number, width: number): Steps<LinkedBy> {
  const offsets = new Uint32Array(rows + 2)
  // Counted two places on, so that filling moves each start to where it belongs.
  for (let from = 0; from < own.length; from += linksPerStep) {
    for (const linked of own.array.subarray(from, from + linksPerStep)) if (linked !== noLink) offsets[linked + 2]++
    yield
  }
  let most = 0
  for (let row = 2; row < offsets.length; row++) {
    most = Math.max(most, offsets[row])
    offsets[row] += offsets[row - 1]
  }
  const back = scope.allocate(Uint32Array, offsets[rows + 1], 'links between rows')
  const perStep = Math.ceil(linksPerStep / width)
  for (let from = 0; from < rows; from += perStep) {
    const [links, linkedBy] = [own.array, back.array] // others if memory has grown in a pause
    for (let row = from; row < Math.min(rows, from + perStep); row++) {
      for (let e = row * width; e < (row + 1) * width && links[e] !== noLink; e++) {
        linkedBy[offsets[links[e] + 1]++] = row
      }
    }
    yield
  }
  return { offsets: scope.place(offsets), rows: back, most: most + width }
}
