// One typed function per kernel of the WASM module. Every argument named like an array is a byte address in the arena (a
// slice's `pointer`); the functions allocate nothing and keep no state. assembly/ has the loops, kernels.test.ts their oracles.

type Scan = (query: number, rows: number, count: number, dims: number, out: number) => void
type Gather = (query: number, rows: number, picked: number, count: number, dims: number, out: number) => void
type Pick = (
  query: number,
  rows: number,
  picked: number,
  count: number,
  dims: number,
  out: number,
  touched: number,
) => void
type Select = (scores: number, count: number, k: number, heap: number, outRows: number, outScores: number) => number

/** The WASM kernels of an engine. They take byte addresses and counts, and check nothing. */
export interface Kernels {
  /** out[i] = squared Euclidean distance of query [dims] to row i of rows [count × dims], f32. */
  readonly l2Scan: Scan
  /** out[i] = dot product of the query with row i, f32. */
  readonly dotScan: Scan
  /** out[i] = squared Euclidean distance of the query to row picked[i] (u32), f32; for scattered rows. */
  readonly l2Gather: Gather
  /** out[i] = dot product of the query with row picked[i], f32. */
  readonly dotGather: Gather
  /** The same as l2Gather and dotGather, with the bits of l2Scan and dotScan; `touched` is 4 bytes to write to. */
  readonly l2Pick: Pick
  readonly dotPick: Pick
  /** out[i] *= scale · scales[i]: dot products become cosines. */
  readonly cosineScale: (out: number, scales: number, count: number, scale: number) => void
  /** out[i] *= scale · scales[picked[i]]. */
  readonly cosineScaleGather: (out: number, scales: number, picked: number, count: number, scale: number) => void
  /** out[i] = 1 / length of row i, 0 for a zero row. */
  readonly inverseLengths: (rows: number, count: number, dims: number, out: number) => void
  /** y += alpha · x, f32. */
  readonly axpy: (alpha: number, x: number, y: number, count: number) => void

  /** Squared distances over u8 codes: the query is i16, rows are padded with zeros to `dims`, a multiple of 16; out is f32. */
  readonly l2ScanU8: Scan
  readonly l2GatherU8: Gather
  /** Dot products over i8 codes, laid out likewise. */
  readonly dotScanI8: Scan
  readonly dotGatherI8: Gather

  /** The k smallest scores (f32), ascending, ties by row; `heap` is scratch of 8 · k bytes. Returns how many were found. */
  readonly selectSmallest: Select
  /** The k largest scores, descending, ties by row. */
  readonly selectLargest: Select

  /** Σ values[e] · dense[indices[e]] over one sparse row of `count` entries. */
  readonly sparseDot: (indices: number, values: number, count: number, dense: number) => number
  /** out[i] = row i · dense, over a CSR matrix with u32 offsets. */
  readonly sparseDotScan: (
    offsets: number,
    indices: number,
    values: number,
    rows: number,
    dense: number,
    out: number,
  ) => void
  /** dense[indices[e]] += alpha · values[e]. */
  readonly sparseAxpy: (alpha: number, indices: number, values: number, count: number, dense: number) => void

  /** Answers dense queries [from, to) by computing all rows; the rest is in the block (see search/exact-search.ts). */
  readonly exactSearch: (scratch: number, job: number, from: number, to: number) => void
  /** Bytes of scratch for it, with so many queries a job. */
  readonly exactScratchBytes: (k: number, queries: number) => number

  /**
   * Grows one tree, a step a call; the blocks are those of trees/grow-trees.ts. Returns the number of nodes, 0 if its weights found
   * no room, or −1: call again with the next step.
   */
  readonly growTree: (scratch: number, block: number, tree: number, seed: number, out: number, step: number) => number
  /** Bytes of scratch for it; `room` is 64 bytes to work with. */
  readonly growScratchBytes: (block: number, room: number) => number
  /** How many labels each leaf of a tree counts, into sizes u32 [leaves]; returns the highest count. See forest/leaf-counts.ts. */
  readonly leafSizes: (
    scratch: number,
    order: number,
    leafStarts: number,
    leaves: number,
    labelOffsets: number,
    labelIndices: number,
    labels: number,
    sizes: number,
  ) => number
  /** Writes what the leaves of a tree count. */
  readonly fillLeaves: (
    scratch: number,
    order: number,
    leafStarts: number,
    leaves: number,
    labelOffsets: number,
    labelIndices: number,
    labels: number,
    entries: number,
    countBits: number,
  ) => void
  /** The leaf of each tree for one point; `projected` is room for a f32 a tree and level. */
  readonly forestLeaves: (forest: number, view: number, projected: number, leaves: number) => void
  /** Answers dense queries [from, to) with a forest (see search/forest-layout.ts); returns how many candidates there were. */
  readonly forestSearch: (scratch: number, index: number, asked: number, from: number, to: number) => number
  /** Candidates of the first query, nearest codes first, at most k; scratch as for forestSearch. */
  readonly forestNear: (scratch: number, index: number, asked: number) => void
  /** The nearest of `count` listed rows to query `i`, all compared; scratch as for forestSearch. */
  readonly rankRows: (scratch: number, index: number, asked: number, i: number, listed: number, count: number) => void
  /** The nearest of listed rows, sifted by their codes; 0 if they are far from the query. See assembly/forest/sift.ts. */
  readonly siftRows: (
    scratch: number,
    index: number,
    asked: number,
    listed: number,
    count: number,
    sampled: number,
    most: number,
  ) => number
  /** The listed rows with the codes nearest to the query's. */
  readonly codeOrder: (scratch: number, index: number, asked: number, listed: number, count: number) => void
  /** Bytes of scratch for all three, zeros; `room` is 128 bytes to work with. */
  readonly forestScratchBytes: (room: number, index: number, asked: number) => number
  /** Labels of sparse queries [from, to) by a forest (see label/forest-scores.ts); the scratch begins as zeros. */
  readonly forestLabels: (scratch: number, labeler: number, asked: number, from: number, to: number) => void
  /** The leaves that one query reaches: u32 pairs (tree, leaf) at `out`; returns how many. */
  readonly forestReach: (scratch: number, labeler: number, asked: number, i: number, out: number) => number
  /** Bytes of scratch for both, with so many queries in a run; `room` is 128 bytes to work with. */
  readonly forestLabelBytes: (room: number, labeler: number, top: number, queries: number) => number
  /** Neighbor lists of rows [from, to) anew, from their neighbors' neighbors (see search/neighbor-lists.ts). */
  readonly neighborPass: (
    scratch: number,
    index: number,
    lists: number,
    counts: number,
    k: number,
    size: number,
    outLists: number,
    outRaw: number,
    outCounts: number,
    from: number,
    to: number,
  ) => void
  /** Bytes of scratch for it, zeros; `room` is 128 bytes to work with. */
  readonly neighborScratchBytes: (room: number, index: number) => number
  /** Sketches of rows [from, to): see search/sketch.ts. */
  readonly sketchRows: (
    rows: number,
    dims: number,
    axes: number,
    shifts: number,
    sketchDims: number,
    lift: number,
    liftAxes: number,
    from: number,
    to: number,
    out: number,
  ) => void
  /** Codes of sketches [from, to): u8 [stride] each. */
  readonly encodeSketches: (
    sketches: number,
    dims: number,
    steps: number,
    stride: number,
    from: number,
    to: number,
    out: number,
  ) => void
  /** out [axisCount × dims] += Σ ((row − mean) · axis) (row − mean) over rows picked[from, to). */
  readonly spreadAlongAxes: (
    scratch: number,
    rows: number,
    picked: number,
    from: number,
    to: number,
    dims: number,
    mean: number,
    axes: number,
    axisCount: number,
    out: number,
  ) => void

  /** Answers sparse queries [from, to); all the rest is in the blocks (see search/inverted-layout.ts). Returns rows computed. */
  readonly invertedSearch: (scratch: number, index: number, batch: number, from: number, to: number) => number
  /** Bytes of scratch for it; `block` is 64 bytes to work with. */
  readonly invertedScratchBytes: (block: number, index: number, k: number, terms: number) => number
  /** The same by a forest (see search/sparse-finder.ts); the scratch begins as zeros. Returns how many candidates there were. */
  readonly sparseForestSearch: (scratch: number, finder: number, batch: number, from: number, to: number) => number
  /** Bytes of scratch for it; `block` is 256 bytes to work with. */
  readonly sparseForestBytes: (block: number, finder: number, k: number, terms: number) => number

  /** Learning feature weights (assembly/label/learning.ts has the block): begins with weights f32 [features]. */
  readonly weightsStart: (learning: number, weights: number) => void
  /** Learns from the rows at [from, to) of the block's order; returns the sum of their losses. */
  readonly weightsLearn: (learning: number, from: number, to: number, rate: number) => number
  /** The sum of the losses of the same rows with another sharpness; adds to the block's hits, learns nothing. */
  readonly weightsLoss: (learning: number, from: number, to: number, sharpness: number) => number
  /** Writes the weights as they are now, f32 [features]; returns the sharpness. */
  readonly weightsNow: (learning: number, out: number) => number
  /** out[i] = log(values[i]) + shift: f64 in, f32 out. */
  readonly logarithms: (values: number, count: number, shift: number, out: number) => void

  /**
   * The best labels of queries [from, to): mix · the nearest rows' score, by similarity ^ power, + (1 − mix) · the features'.
   * The blocks are those of assembly/label/scores.ts. The scratch begins as zeros.
   */
  readonly labelScores: (
    scratch: number,
    model: number,
    batch: number,
    from: number,
    to: number,
    power: number,
    mix: number,
  ) => void
  /** Bytes of scratch for it. */
  readonly labelScratchBytes: (labels: number, top: number) => number
  /** x ^ power for x of at least 0, the same bits on every machine. */
  readonly powerOf: (x: number, power: number) => number

  /** Makes an empty linear model of 2^bits slots (see memory/linear-model.ts). */
  readonly linearClear: (table: number, bits: number) => void
  /** Copies a model into an empty one with more slots. */
  readonly linearMove: (from: number, to: number) => void
  /** bias + Σ weight · value over a key of `count` features. */
  readonly linearSum: (table: number, features: number, values: number, count: number) => number
  /** out[e] = values[e] · (1 + weight), f32. */
  readonly linearWeigh: (table: number, features: number, values: number, count: number, out: number) => void
  /** One AdaGrad step against the gradient of the loss by the sum; returns how many slots are used now. */
  readonly linearStep: (
    table: number,
    features: number,
    values: number,
    count: number,
    gradient: number,
    rate: number,
    biased: boolean,
  ) => number
  /** 1 / (1 + e^−x), the same bits on every machine. */
  readonly logistic: (x: number) => number
  /** log(left + 1) − log(right + 1), the same bits on every machine. */
  readonly logRatio: (left: number, right: number) => number
  /** out[i] = the query · the key of memory picked[i], f32 (see memory/key-store.ts). */
  readonly keyScores: (
    features: number,
    values: number,
    starts: number,
    sizes: number,
    picked: number,
    count: number,
    queryFeatures: number,
    queryValues: number,
    querySize: number,
    out: number,
  ) => void
  /** The features that two keys share, and the products of their values; returns how many. */
  readonly keyProducts: (
    features: number,
    values: number,
    size: number,
    others: number,
    weights: number,
    otherSize: number,
    outFeatures: number,
    outValues: number,
  ) => number

  /** First byte the arena may use. */
  readonly arenaStart: () => number
}

/** The name of a kernel. */
export type KernelName = keyof Kernels
