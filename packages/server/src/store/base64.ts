// Arrays of numbers as texts, and back to the bit.

export function toBase64({ buffer, byteOffset, byteLength }: Uint32Array | Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** A buffer of its own: one out of Node's pool may start anywhere. */
export function fromBase64(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer
}
