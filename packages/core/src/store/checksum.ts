// XXH32 (Yann Collet's xxHash, 32-bit, seed 0), computed piece by piece: the result does not depend on where the pieces end.
// Each step is a bijection of its input, so a change within any one aligned group of four bytes is always found, and any
// other change is missed once in 2³² times.

const prime1 = 0x9e3779b1
const prime2 = 0x85ebca77
const prime3 = 0xc2b2ae3d
const prime4 = 0x27d4eb2f
const prime5 = 0x165667b1

const stripeBytes = 16
const scratchBytes = 2 ** 16

export class Checksum {
  /** The four running lanes. */
  readonly #lanes = Int32Array.of(prime1 + prime2, prime2, 0, -prime1)
  /** Bytes of an incomplete stripe (the first `#waiting`), and room to copy unaligned bytes to. */
  readonly #scratch = new Uint8Array(scratchBytes)
  #waiting = 0
  #total = 0

  update(bytes: Uint8Array): this {
    this.#total += bytes.length
    let from = this.#waiting > 0 ? this.#take(bytes, 0, stripeBytes) : 0
    const whole = from + Math.floor((bytes.length - from) / stripeBytes) * stripeBytes
    if ((bytes.byteOffset + from) % 4 === 0) {
      this.#mix(bytes, from, whole)
      from = whole
    }
    while (from < bytes.length) from = this.#take(bytes, from, scratchBytes)
    return this
  }

  /** Moves bytes into the scratch up to `limit`, and mixes its whole stripes. Returns where the next bytes are. */
  #take(bytes: Uint8Array, from: number, limit: number): number {
    const to = Math.min(bytes.length, from + limit - this.#waiting)
    this.#scratch.set(bytes.subarray(from, to), this.#waiting)
    const filled = this.#waiting + to - from
    const whole = filled - (filled % stripeBytes)
    this.#mix(this.#scratch, 0, whole)
    this.#scratch.copyWithin(0, whole, filled)
    this.#waiting = filled - whole
    return to
  }

  /** Mixes the whole stripes bytes[from … to); `from` is at a multiple of four in memory. */
  #mix(bytes: Uint8Array, from: number, to: number): void {
    mixStripes(this.#lanes, new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) / 4))
  }

  /** Eight lower-case hexadecimal digits. */
  digest(): string {
    const [a, b, c, d] = this.#lanes
    const long = this.#total >= stripeBytes
    let hash = long ? rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) : prime5
    hash = (hash + this.#total) | 0 // the length counts modulo 2³²
    const words = new Int32Array(this.#scratch.buffer, 0, Math.floor(this.#waiting / 4))
    for (const word of words) hash = Math.imul(rotate(hash + Math.imul(word, prime3), 17), prime4)
    const rest = this.#scratch.subarray(words.byteLength, this.#waiting)
    for (const byte of rest) hash = Math.imul(rotate(hash + Math.imul(byte, prime5), 11), prime1)
    return (avalanche(hash) >>> 0).toString(16).padStart(8, '0')
  }
}

// The lanes live in local variables: four independent chains, which the processor overlaps.
function mixStripes(lanes: Int32Array, words: Int32Array): void {
  let [a, b, c, d] = lanes
  for (let i = 0; i < words.length; i += 4) {
    a = (a + Math.imul(words[i], prime2)) | 0
    b = (b + Math.imul(words[i + 1], prime2)) | 0
    c = (c + Math.imul(words[i + 2], prime2)) | 0
    d = (d + Math.imul(words[i + 3], prime2)) | 0
    a = Math.imul((a << 13) | (a >>> 19), prime1)
    b = Math.imul((b << 13) | (b >>> 19), prime1)
    c = Math.imul((c << 13) | (c >>> 19), prime1)
    d = Math.imul((d << 13) | (d >>> 19), prime1)
  }
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
}

function avalanche(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15), prime2)
  mixed = Math.imul(mixed ^ (mixed >>> 13), prime3)
  return mixed ^ (mixed >>> 16)
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
