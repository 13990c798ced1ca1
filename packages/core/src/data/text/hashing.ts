// Columns without a token table: a feature's column is the low bits of its hash, its sign the highest bit.
// The hash is 32-bit FNV-1a over the feature's UTF-8 bytes, then the finalizer of MurmurHash3, as FNV's low bits alone
// mix poorly. Only 32-bit integer arithmetic: the same on every machine, and easy to repeat in another language.

import type { FeatureSpace } from './key-stream.ts'

export class HashedSpace implements FeatureSpace {
  readonly columns: number
  readonly #signed: boolean

  /** `bits` from 1 to 24. With `signed`, half of the features count negative. */
  constructor(bits: number, signed: boolean) {
    this.columns = 2 ** bits
    this.#signed = signed
  }

  keyOf(feature: string): number {
    const hash = hashFeature(feature)
    const sign = this.#signed ? hash >>> 31 : 0
    return (hash & (this.columns - 1)) * 2 + sign
  }
}

/** An integer in [0, 2³²). Features hold no lone surrogates, which UTF-8 could not write. */
export function hashFeature(feature: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < feature.length; i++) {
    const code = feature.codePointAt(i)! // i is inside the feature
    if (code < 0x80) {
      hash = addByte(hash, code)
    } else if (code < 0x800) {
      hash = addByte(addByte(hash, 0xc0 | (code >> 6)), tail(code, 0))
    } else if (code < 0x10000) {
      hash = addByte(addByte(addByte(hash, 0xe0 | (code >> 12)), tail(code, 6)), tail(code, 0))
    } else {
      hash = addByte(addByte(hash, 0xf0 | (code >> 18)), tail(code, 12))
      hash = addByte(addByte(hash, tail(code, 6)), tail(code, 0))
      i++
    }
  }
  return finalize(hash)
}

function addByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** The UTF-8 byte that carries the six bits of `code` above `shift`. */
function tail(code: number, shift: number): number {
  return 0x80 | ((code >> shift) & 0x3f)
}

function finalize(hash: number): number {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
