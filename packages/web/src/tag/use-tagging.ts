// The labels of one text. Those that a person accepts are a correction, which the model learns at once; a later correction of the same text
// replaces it. A rejected label is left out: the page remembers it while the room is open, and the model learns nothing from it alone.

import { useState } from 'preact/hooks'
import { type Correction, type Item, type NamedLabel, nameOf } from '../backend/answers.ts'
import { call, changes, report, type Toast, toast } from '../state/session.ts'
import { useAnswer } from '../state/use-answer.ts'

export type Verdict = 'accepted' | 'rejected'

export interface Tagging {
  readonly corrections: readonly Correction[]
  /** Labels of the text, as accepted. */
  readonly accepted: readonly string[]
  readonly rejected: ReadonlySet<string>
  /** Rejected labels of any item. */
  rejectedOf(item: Item): ReadonlySet<string>
  /** Gives a verdict, or takes it back if it is the present one. */
  judge(label: NamedLabel, verdict: Verdict): Promise<void>
  undo(correction: Correction): Promise<void>
  undoLast(): Promise<void>
}

const none: ReadonlySet<string> = new Set()
const takenBack: Toast = { text: 'Taken back.' }

export function useTagging(model: string, item: Item | undefined): Tagging {
  const { data, again } = useAnswer<{ corrections: Correction[] }>('model', model, 'corrections')
  const [rejectedBy, setRejectedBy] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
  const corrections = data?.corrections ?? []
  const key = keyOf(item)
  const accepted = ofItem(corrections, key)?.labels ?? []
  const rejectedOf = (one: Item) => rejectedBy.get(keyOf(one)) ?? none
  const rejected = item ? rejectedOf(item) : none

  const changed = () => {
    changes.value++
    again()
  }
  const undo = async (correction: Correction) => {
    try {
      await call('model', model, 'undoCorrection', { id: correction.id })
      changed()
      toast.value = { text: 'Taken back: the model has forgotten this correction.' }
    } catch (error) {
      report(error)
    }
  }
  /** Makes the model know these labels of the text, and no others. */
  const teach = async (labels: readonly string[]) => {
    if (labels.length > 0) await call('model', model, 'learn', { items: [{ ...item, labels }] })
    else {
      const now = await call<{ corrections: Correction[] }>('model', model, 'corrections') // an undo may come much later
      const own = ofItem(now.corrections, key)
      if (own) await call('model', model, 'undoCorrection', { id: own.id })
    }
    changed()
  }
  const decide = async (yes: readonly string[], no: ReadonlySet<string>, isLearned: boolean, said: Toast) => {
    try {
      if (isLearned) await teach(yes)
      setRejectedBy(last => new Map(last).set(key, no))
      toast.value = said
    } catch (error) {
      report(error)
    }
  }
  const judge = async (label: NamedLabel, verdict: Verdict) => {
    if (!item) return
    const wasAccepted = accepted.includes(label.label)
    const isTakenBack = verdict === 'accepted' ? wasAccepted : rejected.has(label.label)
    const yes = accepted.filter(one => one !== label.label)
    const no = new Set(rejected)
    no.delete(label.label)
    if (!isTakenBack && verdict === 'accepted') yes.push(label.label)
    if (!isTakenBack && verdict === 'rejected') no.add(label.label)
    const isLearned = wasAccepted || verdict === 'accepted'
    const back = () => void decide(accepted, rejected, isLearned, takenBack)
    const said = { text: textOf(label, verdict), action: { name: 'Undo', run: back } }
    await decide(yes, no, isLearned, isTakenBack ? takenBack : said)
  }
  return {
    ...{ corrections, accepted, rejected, rejectedOf, judge, undo },
    async undoLast() {
      const last = corrections.at(-1)
      if (last) await undo(last)
      else toast.value = { text: 'There is no correction to undo.' }
    },
  }
}

function textOf(label: NamedLabel, verdict: Verdict): string {
  return verdict === 'accepted' ? `Learned: ${nameOf(label)} belongs here.` : `Left out: ${nameOf(label)}.`
}

function keyOf(item: Item | undefined): string {
  return JSON.stringify(item) ?? ''
}

function ofItem(corrections: readonly Correction[], key: string): Correction | undefined {
  return corrections.find(one => keyOf(one.item) === key)
}
