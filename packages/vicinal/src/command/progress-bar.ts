// One line on the terminal that says what is under way, how far it is and how long it will take. It appears only when
// stderr is a terminal and the work takes a moment, and leaves no trace.

import type { Progress } from '@vicinal/core'
import type { CommandIo, TextSink } from './command-io.ts'
import { formatWait } from './quantity.ts'

const width = 24
const quietMillis = 300
const eraseLine = '\r\x1b[2K'

export class ProgressBar {
  readonly #out: TextSink
  readonly #now: () => number
  readonly #born: number
  #what = ''
  #since = 0
  #shown = false

  /** `now` gives milliseconds; tests bring their own clock. */
  constructor(out: TextSink, now: () => number = () => performance.now()) {
    this.#out = out
    this.#now = now
    this.#born = now()
  }

  update({ what, done, total }: Progress): void {
    const now = this.#now()
    if (what !== this.#what) {
      this.#what = what
      this.#since = now
    }
    if (!this.#out.isTTY || now - this.#born < quietMillis) return
    const seconds = (now - this.#since) / 1000
    const line = total ? formatKnown(what, done / total, seconds) : `${what}  ${formatWait(seconds)}`
    this.#out.write(`${eraseLine}${line.slice(0, (this.#out.columns || 80) - 1)}`)
    this.#shown = true
  }

  clear(): void {
    if (this.#shown) this.#out.write(eraseLine)
    this.#shown = false
  }
}

/** Runs `work` with a progress bar on stderr, which is gone when the work is done or has failed. */
export async function withProgress<T>(
  { stderr }: CommandIo,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(stderr)
  try {
    return await work(progress => bar.update(progress))
  } finally {
    bar.clear()
  }
}

function formatKnown(what: string, share: number, seconds: number): string {
  const filled = Math.round(share * width)
  const left = share > 0 && share < 1 ? `  ${formatWait((seconds * (1 - share)) / share)} left` : ''
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${what}  ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${percent} %${left}`
}
