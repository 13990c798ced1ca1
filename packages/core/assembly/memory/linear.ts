// A linear model over hashed features: each router has its own table, which grows with the features it has seen. Open addressing with
// linear probing; a slot holds a feature and its two numbers. AdaGrad: each weight's step depends on its own past gradients.

import { emptySlot, Slot, Table } from '../blocks/memory'

const headBytes: usize = offsetof<Table>()
const slotBytes: usize = offsetof<Slot>()

/** A feature's slot, or the empty one where it would go: the first match from its home on. */
// @ts-ignore: decorator
@inline
function slotOf(table: usize, bits: u32, feature: u32): Slot {
  const mask: u32 = (<u32>1 << bits) - 1
  let at: u32 = (feature * 0x9e3779b1) >> (32 - bits)
  let slot = changetype<Slot>(table + headBytes + <usize>at * slotBytes)
  while (slot.feature != feature && slot.feature != emptySlot) {
    at = (at + 1) & mask
    slot = changetype<Slot>(table + headBytes + <usize>at * slotBytes)
  }
  return slot
}

// @ts-ignore: decorator
@inline
function featureAt(features: usize, e: u32): u32 {
  return load<u32>(features + (<usize>e << 2))
}

// @ts-ignore: decorator
@inline
function valueAt(values: usize, e: u32): f64 {
  return <f64>load<f32>(values + (<usize>e << 2))
}

/** Makes an empty table of 2^bits slots. */
export function linearClear(table: usize, bits: u32): void {
  const head = changetype<Table>(table)
  head.bits = bits
  head.used = 0
  head.bias = 0
  head.biasSquares = 0
  const end = table + headBytes + (<usize>slotBytes << bits)
  for (let at = table + headBytes; at < end; at += slotBytes) {
    const slot = changetype<Slot>(at)
    slot.feature = emptySlot
    slot.weight = 0
    slot.squares = 0
  }
}

/** Copies all of a table into an empty one with more slots. */
export function linearMove(from: usize, to: usize): void {
  const source = changetype<Table>(from)
  const target = changetype<Table>(to)
  target.used = source.used
  target.bias = source.bias
  target.biasSquares = source.biasSquares
  const end = from + headBytes + (<usize>slotBytes << source.bits)
  for (let at = from + headBytes; at < end; at += slotBytes) {
    const old = changetype<Slot>(at)
    if (old.feature == emptySlot) continue
    const slot = slotOf(to, target.bits, old.feature)
    slot.feature = old.feature
    slot.weight = old.weight
    slot.squares = old.squares
  }
}

/** bias + Σ weight · value. */
export function linearSum(table: usize, features: usize, values: usize, count: u32): f64 {
  const head = changetype<Table>(table)
  const bits = head.bits
  let sum = <f64>head.bias
  for (let e: u32 = 0; e < count; e++) {
    sum += <f64>slotOf(table, bits, featureAt(features, e)).weight * valueAt(values, e)
  }
  return sum
}

/** out[e] = values[e] · (1 + weight): a key as the scorer weights it. */
export function linearWeigh(table: usize, features: usize, values: usize, count: u32, out: usize): void {
  const bits = changetype<Table>(table).bits
  for (let e: u32 = 0; e < count; e++) {
    const weight = <f64>slotOf(table, bits, featureAt(features, e)).weight
    store<f32>(out + (<usize>e << 2), <f32>(valueAt(values, e) * (1 + weight)))
  }
}

/**
 * One step against the gradient of the loss by the sum. The table must have room for `count` more features. Returns how many
 * slots are used now. `prior` counts as squared gradients that were before: with 0, a weight's first step is as large for a small
 * gradient as for a large one.
 */
export function linearStep(
  table: usize, features: usize, values: usize, count: u32, gradient: f64, rate: f64, biased: bool, prior: f64,
): u32 {
  const head = changetype<Table>(table)
  const bits = head.bits
  for (let e: u32 = 0; e < count; e++) {
    const feature = featureAt(features, e)
    const own = gradient * valueAt(values, e)
    if (own == 0) continue
    const slot = slotOf(table, bits, feature)
    head.used += <u32>(slot.feature == emptySlot)
    slot.feature = feature
    slot.squares += <f32>(own * own)
    // The square of a nonzero gradient may underflow to 0 in 32 bits.
    if (slot.squares > 0) slot.weight -= <f32>(rate * own / Math.sqrt(prior + <f64>slot.squares))
  }
  if (biased) {
    head.biasSquares += <f32>(gradient * gradient)
    if (head.biasSquares > 0) head.bias -= <f32>(rate * gradient / Math.sqrt(<f64>head.biasSquares))
  }
  return head.used
}

/**
 * What `linearStep` with the same arguments will overwrite: for every slot where it begins in the table, in words, and its three words.
 * New features get their slots now, or two of them could be told the same one. Returns how many slots there are.
 */
export function linearSave(
  table: usize, features: usize, values: usize, count: u32, gradient: f64, out: usize,
): u32 {
  const head = changetype<Table>(table)
  const bits = head.bits
  let saved: u32 = 0
  for (let e: u32 = 0; e < count; e++) {
    if (gradient * valueAt(values, e) == 0) continue
    const feature = featureAt(features, e)
    const slot = slotOf(table, bits, feature)
    const to = out + (<usize>saved << 4)
    store<u32>(to, <u32>((changetype<usize>(slot) - table) >> 2))
    memory.copy(to + 4, changetype<usize>(slot), slotBytes)
    head.used += <u32>(slot.feature == emptySlot)
    slot.feature = feature
    saved++
  }
  return saved
}

/** 1 / (1 + e^−x), bit-identical on every machine. */
export function logistic(x: f64): f64 {
  return 1 / (1 + Math.exp(-x))
}

/** log(left + 1) − log(right + 1), bit-identical on every machine. */
export function logRatio(left: f64, right: f64): f64 {
  return Math.log(left + 1) - Math.log(right + 1)
}
