// The cost of a command so far, for its --json object.

export interface RunningCost {
  readonly seconds: number
  /** The most memory this process has had at once. */
  readonly peakRssBytes: number
}

/** Starts the clock; the function it returns reads it. */
export function startCost(): () => RunningCost {
  const start = performance.now()
  return () => ({
    seconds: Math.round(performance.now() - start) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  })
}
