// Long work gives way: between its steps it lets the event loop run, so that a page stays alive, a progress bar moves and a signal
// is heard. Everything that may take longer than some 50 ms on the caller's thread goes through here or through the WorkerPool,
// which uses it too. Where the pauses fall depends on the clock, so no result may depend on them.

import { assert, throwIfAborted } from './errors.ts'

import type { WebSignal } from './web-types.ts'

/** Node has it, pages do not. */
const { setImmediate: soon } = globalThis as { setImmediate?: (resume: () => void) => unknown }

/** How long work may keep a thread to itself. In pages a pause takes some milliseconds; in Node it takes next to nothing. */
const usualTurn = soon ? 10 : 40

/** For work in the background of a program that answers others. An insert into a store that waits for the disk takes some ten turns. */
export const shortTurn = 2

/** When the current turn of the event loop began, if long work knows; otherwise undefined. */
let turnBegan: number | undefined

/**
 * All work on this thread shares the turn: pieces that are short each, one after the other, must give way as well as one long piece.
 * Whoever asks first begins it; a timer, which runs when the turn is over, ends it.
 */
function turnStart(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setTimeout(endTurn, 0)
  }
  return turnBegan
}

function endTurn(): void {
  turnBegan = undefined
}

/** The pauses of one piece of work. */
export class Pauses {
  readonly #signal: WebSignal | undefined
  readonly #turnMillis: number

  constructor({ signal }: LongWork, turnMillis: number = usualTurn) {
    throwIfAborted(signal)
    this.#turnMillis = turnMillis
    this.#signal = signal
    turnStart()
  }

  /** Whether others have waited long enough. Asking takes some 50 ns. */
  get due(): boolean {
    return performance.now() - turnStart() >= this.#turnMillis
  }

  /** Lets other code run; throws ABORTED if the signal was aborted in the meantime. */
  async take(): Promise<void> {
    await new Promise<void>(resume => (soon ? soon(resume) : setTimeout(resume, 0)))
    endTurn()
    throwIfAborted(this.#signal)
  }

  /** Hears the signal, and lets others run if they have waited long enough: for between parts that cannot be cut into steps. */
  async rest(): Promise<void> {
    throwIfAborted(this.#signal)
    if (this.due) await this.take()
  }
}

/** Work cut into steps: it yields after each one, with how much is done, and returns its result. */
export type Steps<Result> = Generator<number | undefined, Result, undefined>

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Takes the first step now, and leaves the others to the caller. There must be others. */
export function begun<Result>(steps: Steps<Result>): Steps<Result> {
  const { done } = steps.next()
  assert(!done, 'nothing is left after the first step')
  return steps
}

/** How steps are run in turns. */
interface TurnOptions {
  /** Names the work in progress reports. */
  readonly what?: string
  /** The number of steps. */
  readonly total?: number
  /** How long it may keep the thread at a time. Default: a page stays alive, a server answers. */
  readonly turnMillis?: number
}

/** `map` of every item, in steps. Yielding takes as long as a few simple calls, so it does that only now and then. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, i: number) => Result,
): Steps<Result[]> {
  const results: Result[] = []
  for (let i = 0; i < items.length; i++) {
    results.push(map(items[i], i))
    if (i % 64 === 63) yield
  }
  return results
}

/** Runs the steps in slices of a few milliseconds. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  work: LongWork,
  { what, total, turnMillis }: TurnOptions = {},
): Promise<Result> {
  const pauses = new Pauses(work, turnMillis)
  const report = (done: number) => {
    if (what !== undefined) work.onProgress?.({ what, done, ...(total !== undefined && { total }) })
  }
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) {
        if (total !== undefined) report(total)
        return step.value
      }
      if (!pauses.due) continue
      if (step.value !== undefined) report(step.value)
      await pauses.take()
    }
  } finally {
    steps.return(undefined as Result) // ends abandoned work, so that it frees what it holds
  }
}

/** Takes the first step now, and the others in short turns: the result is as things are now. If `ready` is given, those wait for it. */
export async function begunInTurns<Result>(
  steps: Steps<Result>,
  work: LongWork,
  ready?: Promise<unknown>,
): Promise<Result> {
  throwIfAborted(work.signal)
  const first = steps.next()
  if (first.done) return first.value
  try {
    await ready
    return await inTurns(steps, work, { turnMillis: shortTurn })
  } finally {
    steps.return(undefined as Result) // ends abandoned work, so that it frees what it holds
  }
}

/** Calls `step` with 0 … total − 1, in slices of a few milliseconds. A short job is done in one slice. */
export async function eachInTurns(
  total: number,
  what: string,
  work: LongWork,
  step: (i: number) => void,
): Promise<void> {
  work.onProgress?.({ what, done: 0, total })
  await inTurns(callEach(total, step), work, { what, total })
}

function* callEach(total: number, step: (i: number) => void): Steps<void> {
  for (let i = 0; i < total; i++) {
    step(i)
    yield i + 1
  }
}

/** Progress of long work. */
export interface Progress {
  /** What is being done, in a word or two: 'reading', 'growing trees'. */
  readonly what: string
  readonly done: number
  /** Absent if the end is not known. */
  readonly total?: number
}

/** Options of every long call: a signal to stop it, and a progress callback. */
export interface LongWork {
  /** Stops the work with an ABORTED error; nothing half-done stays visible. */
  readonly signal?: WebSignal | undefined
  /** Called regularly, at most about twenty times a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
