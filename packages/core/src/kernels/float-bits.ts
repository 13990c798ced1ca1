/** A number's bits as an f32, for blocks of u32 fields. */
export function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0]
}
