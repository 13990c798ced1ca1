// What tuning gives.

/** A set of options that was tried, and what it was worth. */
export interface TunedPoint<Options extends object = object> {
  readonly options: Options
  readonly value: number
}

/** The best one. */
export interface TuningResult<Options extends object = object> extends TunedPoint<Options> {
  /** All that was tried, in order. */
  readonly table: readonly TunedPoint<Options>[]
}
