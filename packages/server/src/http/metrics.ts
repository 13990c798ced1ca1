// Counts and times of requests, in Prometheus' format.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export class Metrics {
  readonly #registry = new Registry()
  readonly #seconds: Histogram
  readonly #failures: Counter
  readonly #active: Gauge

  constructor() {
    const registers = [this.#registry]
    this.#seconds = new Histogram({
      name: 'vicinal_request_seconds',
      help: 'Time from the head of a request to its answer.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    })
    this.#failures = new Counter({
      name: 'vicinal_problems_total',
      help: 'Requests answered with an error, by its code.',
      labelNames: ['code'],
      registers,
    })
    this.#active = new Gauge({ name: 'vicinal_requests_active', help: 'Requests being answered.', registers })
    collectDefaultMetrics({ register: this.#registry })
  }

  begin(): void {
    this.#active.inc()
  }

  /** `route` is the pattern, not the path: every name in a path would become a new series. */
  end(route: string, status: number, seconds: number): void {
    this.#active.dec()
    this.#seconds.observe({ route, status: String(status) }, seconds)
  }

  problem(code: string): void {
    this.#failures.inc({ code })
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  get type(): string {
    return this.#registry.contentType
  }
}
