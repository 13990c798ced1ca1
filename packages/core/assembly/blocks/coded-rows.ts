// Codes that exactByCodes compares first (src/search/forest/exact-by-codes.ts fills it).

/** Quantized sketches of rows, and how to sketch a query as the rows were (forest/sketch.ts). */
@unmanaged
export class CodedRows {
  /** u8 [rows × stride]. */
  codes: usize
  stride: u32
  /** Code steps per unit. */
  steps: f32
  /** f32 [axes × dims], and the mean's place on each axis. */
  axes: usize
  shifts: usize
  /** f32 [dims] if the last number of a sketch is its rest. Address 0: it has none. */
  mean: usize
  sketchDims: u32
  /** Sketches are at most this many times as far apart as their rows. */
  stretch: f32
}
