// What a person says about the labels of one text: those that fit, those that do not, or that none fits. It is kept as one correction of the
// text, which a later one replaces. The model learns labels that fit; those that do not are no longer suggested for this text.

import { type Correction, type Item, type NamedLabel, nameOf } from '../backend/answers.ts'
import { call, changes, report, type Toast, toast } from '../state/session.ts'
import { useAnswer } from '../state/use-answer.ts'

export type Verdict = 'accepted' | 'rejected'

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

/** What is said about a text. */
type Said = Pick<Correction, 'labels' | 'rejected'>

const takenBack: Toast = { text: 'Undone.' }

export function useTagging(model: string, item: Item | undefined): Tagging {
  const { data, again } = useAnswer<{ corrections: Correction[] }>('model', model, 'corrections')
  const corrections = data?.corrections ?? []
  const key = keyOf(item)
  const said: Said = ofItem(corrections, key) ?? {}
  const { labels: accepted = [], rejected: wrong = [] } = said
  const noneFits = said.labels?.length === 0
  const rejectedOf = (one: Item) => new Set(ofItem(corrections, keyOf(one))?.rejected)

  const changed = () => {
    changes.value++
    again()
  }
  const undo = async (correction: Correction) => {
    try {
      await call('model', model, 'undoCorrection', { id: correction.id })
      changed()
      toast.value = { text: 'Undone: the model has forgotten this correction.' }
    } catch (error) {
      report(error)
    }
  }
  /** Makes this all that is said about the text. */
  const say = async ({ labels, rejected = [] }: Said) => {
    if (labels || rejected.length > 0) {
      const learned = { ...item, ...(labels && { labels }), ...(rejected.length > 0 && { rejected }) }
      await call('model', model, 'learn', { items: [learned] })
    } else {
      const now = await call<{ corrections: Correction[] }>('model', model, 'corrections') // an undo may come much later
      const own = ofItem(now.corrections, key)
      if (own) await call('model', model, 'undoCorrection', { id: own.id })
    }
    changed()
  }
  const decide = async (next: Said, message: string | undefined) => {
    const back = () =>
      void say(said).then(() => {
        toast.value = takenBack
      }, report)
    try {
      await say(next)
      toast.value = message === undefined ? takenBack : { text: message, action: { name: 'Undo', run: back } }
    } catch (error) {
      report(error)
    }
  }
  const judge = async ({ label, ...named }: NamedLabel, verdict: Verdict) => {
    if (!item) return
    const isTakenBack = (verdict === 'accepted' ? accepted : wrong).includes(label)
    const yes = accepted.filter(one => one !== label)
    const no = wrong.filter(one => one !== label)
    if (!isTakenBack) (verdict === 'accepted' ? yes : no).push(label)
    const labels = yes.length > 0 ? yes : noneFits ? [] : undefined
    const next = { ...(labels && { labels }), rejected: no }
    await decide(next, isTakenBack ? undefined : textOf({ label, ...named }, verdict))
  }
  const judgeNone = async () => {
    if (!item || accepted.length > 0) return
    const message = 'Learned: no label fits. Texts like this one get lower scores.'
    await decide({ ...(!noneFits && { labels: [] }), rejected: wrong }, noneFits ? undefined : message)
  }
  return {
    ...{ corrections, accepted, rejected: new Set(wrong), noneFits, rejectedOf, judge, judgeNone, undo },
    async undoLast() {
      const last = corrections.at(-1)
      if (last) await undo(last)
      else toast.value = { text: 'There is no correction to undo.' }
    },
  }
}

function textOf(label: NamedLabel, verdict: Verdict): string {
  return verdict === 'accepted'
    ? `Learned: ${nameOf(label)} belongs here.`
    : `Left out: ${nameOf(label)} is not suggested for this text any more.`
}

function keyOf(item: Item | undefined): string {
  return JSON.stringify(item) ?? ''
}

function ofItem(corrections: readonly Correction[], key: string): Correction | undefined {
  return corrections.find(one => keyOf(one.item) === key)
}
