// What a person says about the labels of one text: those that fit, those that do not, or that none fits. It is kept as one correction of the
// text, which a later one replaces. The model learns labels that fit; those that do not are no longer suggested for this text.

import { useEffect, useRef } from 'preact/hooks'
import { type Correction, type Item, type NamedLabel, nameOf } from '../backend/answers.ts'
import { call, changes, report, type Toast, toast } from '../state/session.ts'
import { useAnswer } from '../state/use-answer.ts'
import { useTurns } from '../state/use-turns.ts'
import { judged, type Said, saidOf, type Verdict, withLearned } from './said.ts'

export interface Tagging {
  readonly corrections: readonly Correction[]
  /** Labels of the text, as accepted. */
  readonly accepted: readonly string[]
  readonly rejected: ReadonlySet<string>
  /** The person said that no label fits. */
  readonly noneFits: boolean
  /** Rejected labels of any item. */
  rejectedOf(item: Item): ReadonlySet<string>
  /** Gives a verdict, or takes it back if it is the present one. */
  judge(label: NamedLabel, verdict: Verdict): Promise<void>
  /** Says that no label fits, or takes it back. */
  judgeNone(): Promise<void>
  undo(correction: Correction): Promise<void>
  undoLast(): Promise<void>
}

const takenBack: Toast = { text: 'Undone.' }

export function useTagging(model: string, item: Item | undefined): Tagging {
  const { data, again } = useAnswer<{ corrections: Correction[] }>('model', model, 'corrections')
  const corrections = data?.corrections ?? []
  const said: Said = saidOf(corrections, item) ?? {}
  const { labels: accepted = [], rejected: wrong = [] } = said
  const noneFits = said.labels?.length === 0
  const inTurn = useTurns()
  /** The corrections, updated before the list is loaded again: the second of two quick verdicts builds on the first. */
  const latest = useRef<readonly Correction[]>([])
  useEffect(() => {
    if (data) latest.current = data.corrections
  }, [data])

  const changed = (now: readonly Correction[]) => {
    latest.current = now
    changes.value++
    again()
  }
  const forget = async ({ id }: Correction) => {
    await call('model', model, 'undoCorrection', { id })
    changed(latest.current.filter(one => one.id !== id))
  }
  /** Replaces all verdicts on the text by these. */
  const say = async ({ labels, rejected = [] }: Said) => {
    if (!labels && rejected.length === 0) {
      const own = saidOf(latest.current, item)
      if (own) await forget(own)
      return
    }
    const learned = { ...item, ...(labels && { labels }), ...(rejected.length > 0 && { rejected }) }
    const answer = await call<{ corrections: Correction[] }>('model', model, 'learn', { items: [learned] })
    changed(withLearned(latest.current, answer.corrections))
  }
  /** `next` turns the verdicts so far into the new ones. */
  const decide = (next: (said: Said) => Said, message: string | undefined) =>
    reported(async () => {
      const before = saidOf(latest.current, item) ?? {}
      await say(next(before))
      const back = () => void reported(() => say(before).then(() => tell(takenBack)))
      tell(message === undefined ? takenBack : { text: message, action: { name: 'Undo', run: back } })
    })
  const reported = (action: () => Promise<void>) => inTurn(() => action().catch(report))
  const undo = (which: () => Correction | undefined) =>
    reported(async () => {
      const correction = which()
      if (correction) await forget(correction)
      tell({
        text: correction ? 'Undone: the model has forgotten this correction.' : 'There is no correction to undo.',
      })
    })
  return {
    ...{ corrections, accepted, rejected: new Set(wrong), noneFits },
    rejectedOf: one => new Set(saidOf(corrections, one)?.rejected),
    async judge(named, verdict) {
      if (!item) return
      const { label } = named
      // As the person saw it when they clicked: a double click says it twice, and takes nothing back.
      const isTakenBack = (verdict === 'accepted' ? accepted : wrong).includes(label)
      const next = (said: Said) => judged(said, label, isTakenBack ? undefined : verdict)
      await decide(next, isTakenBack ? undefined : textOf(named, verdict))
    },
    async judgeNone() {
      if (!item || accepted.length > 0) return
      const message = 'Learned: no label fits. Texts like this one get lower scores.'
      const next = ({ rejected = [] }: Said) => ({ ...(!noneFits && { labels: [] }), rejected })
      await decide(next, noneFits ? undefined : message)
    },
    undo: correction => undo(() => correction),
    undoLast: () => undo(() => latest.current.at(-1)),
  }
}

function tell(message: Toast): void {
  toast.value = message
}

function textOf(label: NamedLabel, verdict: Verdict): string {
  return verdict === 'accepted'
    ? `Learned: ${nameOf(label)} belongs here.`
    : `Left out: ${nameOf(label)} is not suggested for this text any more.`
}
