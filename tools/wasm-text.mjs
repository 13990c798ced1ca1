// Bytes as text that gzip makes as small as the bytes themselves: one character for the frequent bytes, two for the others, always the
// same ones. (Base64 hides what repeats; hexadecimal digits double everything.) src/kernels/modules/wasm-text.ts reads it.

/** Printable ASCII without what a string, or a script within a page, would have to escape. */
const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
  c => !'\\\'"`$<'.includes(c),
)
/** The last two mean that the next character counts too. */
const singles = characters.length - 2
/** Instructions of SIMD begin with 0xfd: counted from there, they are among the frequent. */
const firstByte = 0xfd

export function wasmText(bytes) {
  return Array.from(bytes, byte => {
    const rank = (byte - firstByte + 256) % 256
    if (rank < singles) return characters[rank]
    const rest = rank - singles
    return characters[singles + Math.floor(rest / characters.length)] + characters[rest % characters.length]
  }).join('')
}
