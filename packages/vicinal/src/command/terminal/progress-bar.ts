// Shows the progress of the whole command and the time left. On a terminal it is one line, redrawn and removed at
// the end; in a file or a pipe, a line every ten seconds. Short work shows nothing.

import type { Progress } from '@vicinal/core'
import type { CommandIo, TextSink } from '../command-io.ts'
import { formatWait } from './quantity.ts'
import { type Estimate, type Stage, WholeEstimate } from './whole-estimate.ts'

const width = 24
const quietMillis = 300
const lineMillis = 10_000
const tickMillis = 500
const eraseLine = '\r\x1b[2K'

export class ProgressBar {
  readonly #out: TextSink
  readonly #now: () => number
  readonly #born: number
  readonly #whole: WholeEstimate
  #what = ''
  #lines = 0
  #shown = false

  /** `now` gives milliseconds; tests bring their own clock. */
  constructor(out: TextSink, plan: readonly Stage[], now: () => number = () => performance.now()) {
    this.#out = out
    this.#now = now
    this.#born = now()
    this.#whole = new WholeEstimate(plan)
  }

  update(progress: Progress): void {
    this.#what = progress.what
    this.#whole.update(progress, this.#seconds())
    this.tick()
  }

  /** Sets the stages after the current one, if they were not known before. */
  replan(stages: readonly Stage[]): void {
    this.#whole.replan(stages)
  }

  /** Shows the current state, even if nothing new was reported. */
  tick(): void {
    if (this.#what === '') return
    const seconds = this.#seconds()
    if (this.#out.isTTY) this.#draw(seconds)
    else if (1000 * seconds >= lineMillis * (this.#lines + 1)) this.#print(seconds)
  }

  clear(): void {
    if (this.#shown) this.#out.write(eraseLine)
    this.#shown = false
  }

  #draw(seconds: number): void {
    if (1000 * seconds < quietMillis) return
    const line = `${this.#what}  ${formatBar(this.#whole.estimate(seconds))}`
    this.#out.write(`${eraseLine}${line.slice(0, (this.#out.columns || 80) - 1)}`)
    this.#shown = true
  }

  #print(seconds: number): void {
    this.#lines = Math.floor((1000 * seconds) / lineMillis)
    const { share, secondsLeft } = this.#whole.estimate(seconds)
    const left = secondsLeft === undefined ? '' : `, about ${formatWait(secondsLeft)} left`
    this.#out.write(`${Math.floor(100 * share)} % after ${formatWait(seconds)}${left} (${this.#what})\n`)
  }

  #seconds(): number {
    return (this.#now() - this.#born) / 1000
  }
}

/** Runs `work`, whose stages are those of the `plan`, and shows its progress on stderr. */
export async function withProgress<T>(
  { stderr }: CommandIo,
  plan: readonly Stage[],
  work: (onProgress: (progress: Progress) => void, replan: (stages: readonly Stage[]) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(stderr, plan)
  const timer = setInterval(() => bar.tick(), tickMillis)
  try {
    return await work(
      progress => bar.update(progress),
      stages => bar.replan(stages),
    )
  } finally {
    clearInterval(timer)
    bar.clear()
  }
}

function formatBar({ share, secondsLeft }: Estimate): string {
  const filled = Math.round(share * width)
  const percent = String(Math.floor(share * 100)).padStart(3)
  const left = secondsLeft === undefined ? '' : `  ${formatWait(secondsLeft)} left`
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${percent} %${left}`
}
