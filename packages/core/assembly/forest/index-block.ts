// A dense index as a block of u32 fields (src/search/forest-layout.ts writes it): its rows, their sketches as codes, the forest.

/** 0 where there is none. */
// @ts-ignore: decorator
@inline
export function forestOf(index: usize): usize {
  return load<u32>(index)
}
/** f32 [rows × dims]. Address 0: only their codes are kept. */
// @ts-ignore: decorator
@inline
export function rowsOf(index: usize): usize {
  return load<u32>(index, 4)
}
// @ts-ignore: decorator
@inline
export function rowCount(index: usize): u32 {
  return load<u32>(index, 8)
}
// @ts-ignore: decorator
@inline
export function dimsOf(index: usize): u32 {
  return load<u32>(index, 12)
}
/** Whether nearer means a larger product. */
// @ts-ignore: decorator
@inline
export function byProduct(index: usize): bool {
  return load<u32>(index, 16) != 0
}
/** Sketches of the rows as u8 codes: [rows × codeStride]. */
// @ts-ignore: decorator
@inline
export function codesOf(index: usize): usize {
  return load<u32>(index, 20)
}
// @ts-ignore: decorator
@inline
export function codeStride(index: usize): u32 {
  return load<u32>(index, 24)
}
/** Axes of the sketch: f32 [sketchDims × dims]; the mean's place on each axis; how many code steps a unit is. */
// @ts-ignore: decorator
@inline
export function axesOf(index: usize): usize {
  return load<u32>(index, 28)
}
// @ts-ignore: decorator
@inline
export function shiftsOf(index: usize): usize {
  return load<u32>(index, 32)
}
// @ts-ignore: decorator
@inline
export function sketchDims(index: usize): u32 {
  return load<u32>(index, 36)
}
// @ts-ignore: decorator
@inline
export function codeSteps(index: usize): f32 {
  return load<f32>(index, 40)
}
/** Whether the trees see the sketch; else the rows as they are. */
// @ts-ignore: decorator
@inline
export function treesSeeSketch(index: usize): bool {
  return load<u32>(index, 44) != 0
}
/** The length that queries are scaled to before they are sketched; 0: as they are. */
// @ts-ignore: decorator
@inline
export function queryLength(index: usize): f32 {
  return load<f32>(index, 48)
}
/** The rows as u8 codes, where f32 rows were dropped: [rows × rowCodeStride], steps a unit, and the value of code 0. */
// @ts-ignore: decorator
@inline
export function rowCodesOf(index: usize): usize {
  return load<u32>(index, 52)
}
// @ts-ignore: decorator
@inline
export function rowCodeStride(index: usize): u32 {
  return load<u32>(index, 56)
}
// @ts-ignore: decorator
@inline
export function rowCodeSteps(index: usize): f32 {
  return load<f32>(index, 60)
}
// @ts-ignore: decorator
@inline
export function rowCodeZero(index: usize): f32 {
  return load<f32>(index, 64)
}

// What is asked, as another block.

/** f32 [queries × dims]. */
// @ts-ignore: decorator
@inline
export function queriesOf(asked: usize): usize {
  return load<u32>(asked)
}
// @ts-ignore: decorator
@inline
export function wanted(asked: usize): u32 {
  return load<u32>(asked, 4)
}
/** How many trees are asked, and how many leaves beside theirs. */
// @ts-ignore: decorator
@inline
export function treesAsked(asked: usize): u32 {
  return load<u32>(asked, 8)
}
// @ts-ignore: decorator
@inline
export function probesAsked(asked: usize): u32 {
  return load<u32>(asked, 12)
}
/** Rows with a score above it are candidates. */
// @ts-ignore: decorator
@inline
export function scoreLimit(asked: usize): f32 {
  return load<f32>(asked, 16)
}
/** How many candidates are compared exactly. */
// @ts-ignore: decorator
@inline
export function rerankSize(asked: usize): u32 {
  return load<u32>(asked, 20)
}
/** u8 [rows], 0 for rows that may not be found. Address 0: all may. */
// @ts-ignore: decorator
@inline
export function maskOf(asked: usize): usize {
  return load<u32>(asked, 24)
}
/** Answers: rows u32 [queries × wanted], raw distances f32 likewise, counts u32 [queries]. */
// @ts-ignore: decorator
@inline
export function outRows(asked: usize): usize {
  return load<u32>(asked, 28)
}
// @ts-ignore: decorator
@inline
export function outDistances(asked: usize): usize {
  return load<u32>(asked, 32)
}
// @ts-ignore: decorator
@inline
export function outCounts(asked: usize): usize {
  return load<u32>(asked, 36)
}
