// Modules are inlined as text that gzip makes as small as the bytes themselves; tools/wasm-text.mjs writes it and says how.

const firstByte = 0xfd

/** The bytes of `text`. */
export function wasmBytes(text: string): Uint8Array<ArrayBuffer> {
  const rankOf = ranks()
  const singles = rankOf.size - 2
  const bytes = new Uint8Array(text.length)
  let count = 0
  const rankAt = (i: number) => rankOf.get(text.charCodeAt(i)) as number // the build writes no others
  for (let i = 0; i < text.length; i++) {
    const rank = rankAt(i)
    const page = rank - singles
    bytes[count++] = firstByte + (page < 0 ? rank : singles + page * rankOf.size + rankAt(++i))
  }
  return bytes.slice(0, count)
}

/** The characters in use, by their codes: printable ASCII without what would need escaping. */
function ranks(): Map<number, number> {
  const codes = Array.from({ length: 95 }, (_, i) => 32 + i).filter(
    code => !'\\\'"`$<'.includes(String.fromCharCode(code)),
  )
  return new Map(codes.map((code, rank) => [code, rank]))
}
