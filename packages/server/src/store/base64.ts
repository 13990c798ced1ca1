// Arrays of numbers as texts, and back to the bit. In Node by its buffers, which are faster; pages have none.

const isNode = typeof Buffer !== 'undefined'

export function toBase64({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): string {
  if (isNode) return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  let bytes = ''
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

/** A buffer of its own: one out of Node's pool may start anywhere. */
export function fromBase64(text: string): ArrayBuffer {
  if (isNode) return Uint8Array.from(Buffer.from(text, 'base64')).buffer
  return Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer
}
