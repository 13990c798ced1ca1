// How far a whole command is, from what its stages report. A plan lists the stages in their order, with the share of the time that
// they usually take; what the stages really take corrects it. Invariant: the share done never falls.

import type { Progress } from '@vicinal/core'

export interface Stage {
  /** What its reports are called; several, if they take turns. */
  readonly names: readonly string[]
  /** The time it usually takes, in relation to the others. */
  readonly weight: number
  /** How often its reports usually begin again. Default: once. */
  readonly rounds?: number
}

export interface Estimate {
  /** From 0 to 1. */
  readonly share: number
  /** Undefined until there is enough to estimate from. */
  readonly secondsLeft: number | undefined
}

/** No estimate before this share of the plan is done and this many seconds have passed. */
const telling = { share: 0.04, seconds: 1 } as const
/** The highest share shown before the work is over. */
const mostShare = 0.99

export class WholeEstimate {
  #plan: readonly Stage[]
  /** The current stage, −1 before the first. */
  #at = -1
  /** Finished rounds of the stage, and the share of the current one. */
  #rounds = 0
  #part = 0
  #what = ''
  /** Weights of stages that are over; those left out do not count. */
  #over = 0
  #stageStart = 0
  #share = 0

  constructor(plan: readonly Stage[]) {
    this.#plan = plan
  }

  /** Replaces the stages after the current one. */
  replan(stages: readonly Stage[]): void {
    this.#plan = [...this.#plan.slice(0, this.#at + 1), ...stages]
  }

  /** Takes a report, `seconds` after the start. */
  update({ what, done, total }: Progress, seconds: number): void {
    const next = this.#plan.findIndex(({ names }, i) => i >= Math.max(0, this.#at) && names.includes(what))
    if (next < 0) return // not planned: it takes its time from the current stage
    const part = total ? Math.min(1, done / total) : 0
    if (next !== this.#at) this.#enter(next, seconds)
    else if (what !== this.#what || part < this.#part) this.#rounds++
    this.#what = what
    this.#part = part
  }

  /** As things stand, `seconds` after the start. */
  estimate(seconds: number): Estimate {
    const stage = this.#plan[this.#at]
    if (!stage) return { share: 0, secondsLeft: undefined }
    const part = this.#stagePart(stage)
    const later = this.#plan.slice(this.#at + 1).reduce((sum, { weight }) => sum + weight, 0)
    const done = this.#over + stage.weight * part
    const planned = done / (done + stage.weight * (1 - part) + later)
    const left = this.#secondsLeft(stage, part, later, seconds)
    const isTelling = planned >= telling.share && seconds >= telling.seconds
    this.#share = Math.max(this.#share, Math.min(mostShare, isTelling ? seconds / (seconds + left) : planned))
    return { share: this.#share, secondsLeft: isTelling ? left : undefined }
  }

  /** Assumes that the stage continues at its pace, and that later ones take as long for their weights as the work so far. */
  #secondsLeft(stage: Stage, part: number, later: number, seconds: number): number {
    const done = this.#over + stage.weight * part
    if (done === 0) return 0
    const perWeight = seconds / done
    const spent = seconds - this.#stageStart
    const own = part > 0.02 ? (spent * (1 - part)) / part : stage.weight * (1 - part) * perWeight
    return own + later * perWeight
  }

  /** The share of the stage that is over; one that begins again more often than planned comes ever nearer to its end. */
  #stagePart({ rounds = 1 }: Stage): number {
    return (this.#rounds + this.#part) / Math.max(rounds, this.#rounds + 1)
  }

  #enter(next: number, seconds: number): void {
    const isFirst = this.#at < 0
    this.#over += this.#plan[this.#at]?.weight ?? 0
    this.#at = next
    this.#rounds = 0
    this.#stageStart = isFirst ? 0 : seconds // what came before the first report is the first stage's
  }
}
