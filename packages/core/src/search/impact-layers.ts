// Lists cut into layers of falling value, for the default algorithm (assembly/inverted/impact.ts): inside a layer rows ascend, so
// that accumulating walks forward through memory. A layer spans a quarter of an octave, or more where that holds few postings.

import type { PostingLists } from './posting-lists.ts'

export interface ImpactLayers {
  /** Feature f's postings are [listOffsets[f], listOffsets[f + 1]). */
  readonly listOffsets: Uint32Array
  /** Postings by layer. */
  readonly rows: Uint32Array
  readonly values: Float32Array
  /** Feature f's layers are [offsets[f], offsets[f + 1]). */
  readonly offsets: Uint32Array
  /** Each layer's end among the postings. */
  readonly ends: Uint32Array
  readonly tops: Float32Array
  readonly floors: Float32Array
  /** How much smaller the next layer's top is, per posting of this layer. */
  readonly gains: Float32Array
}

/** Fewer postings than this are not worth a layer. */
const leastPostings = 64
/** What is left of a positive f32's bits above these is its binary logarithm in quarters: a step. */
const fractionBits = 21
const steps = 2 ** (32 - fractionBits)

export function cutIntoLayers(lists: PostingLists): ImpactLayers {
  const features = lists.offsets.length - 1
  const { rows, values, ends: stepEnds } = sortBySteps(lists)
  const offsets = new Uint32Array(features + 1)
  const [ends, tops, floors]: number[][] = [[], [], []]
  for (let feature = 0; feature < features; feature++) {
    let start = lists.offsets[feature]
    const last = lists.offsets[feature + 1]
    // A step's end is marked at its last posting; a layer closes at the first such end that leaves it large enough.
    for (let end = start + 1; end <= last; end++) {
      if (end < last && !(stepEnds[end - 1] && end - start >= leastPostings)) continue
      const layer = values.subarray(start, end)
      ends.push(end)
      tops.push(layer.reduce((top, value) => Math.max(top, value), 0))
      floors.push(layer.reduce((floor, value) => Math.min(floor, value), Number.POSITIVE_INFINITY))
      start = end
    }
    offsets[feature + 1] = ends.length
  }
  return {
    listOffsets: lists.offsets,
    rows,
    values,
    offsets,
    ends: Uint32Array.from(ends),
    tops: Float32Array.from(tops),
    floors: Float32Array.from(floors),
    gains: gainsOf(lists.offsets, offsets, ends, tops),
  }
}

function gainsOf(lists: Uint32Array, offsets: Uint32Array, ends: number[], tops: number[]): Float32Array {
  const gains = new Float32Array(ends.length)
  for (let feature = 0; feature + 1 < offsets.length; feature++) {
    let start = lists[feature]
    for (let layer = offsets[feature]; layer < offsets[feature + 1]; layer++) {
      const next = layer + 1 < offsets[feature + 1] ? tops[layer + 1] : 0
      gains[layer] = (tops[layer] - next) / (ends[layer] - start)
      start = ends[layer]
    }
  }
  return gains
}

/** Each list in the order of falling steps, rows ascending inside a step; `ends` is 1 at the last posting of a step. */
function sortBySteps({ offsets, rows, values }: PostingLists): {
  rows: Uint32Array
  values: Float32Array
  ends: Uint8Array
} {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const sorted = {
    rows: new Uint32Array(rows.length),
    values: new Float32Array(rows.length),
    ends: new Uint8Array(rows.length),
  }
  const counts = new Uint32Array(steps)
  const places = new Uint32Array(steps)
  for (let feature = 0; feature + 1 < offsets.length; feature++) {
    const [from, to] = [offsets[feature], offsets[feature + 1]]
    let [highest, lowest] = [0, steps - 1]
    for (let p = from; p < to; p++) {
      const step = bits[p] >>> fractionBits
      counts[step]++
      if (step > highest) highest = step
      if (step < lowest) lowest = step
    }
    let place = from
    for (let step = highest; step >= lowest; step--) {
      places[step] = place
      place += counts[step]
      if (counts[step] > 0) sorted.ends[place - 1] = 1
      counts[step] = 0
    }
    for (let p = from; p < to; p++) {
      const at = places[bits[p] >>> fractionBits]++
      sorted.rows[at] = rows[p]
      sorted.values[at] = values[p]
    }
  }
  return sorted
}
