const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** A number's bits as an f32, for blocks of u32 fields. */
export function floatBits(value: number): number {
  float[0] = value
  return bits[0]
}
