// Tag: a text, the labels that the model suggests for it, and the verdicts of a person on them.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ModelFacts } from '../backend/answers.ts'
import type { ServedName } from '../backend/backend.ts'
import { Card } from '../parts/card.tsx'
import { count } from '../parts/numbers.ts'
import { ProblemNote, Waiting } from '../parts/state.tsx'
import { tellingWords } from '../parts/words.ts'
import { useKeys } from '../state/use-keys.ts'
import { useLiveAnswer } from '../state/use-live-answer.ts'
import { useSettled } from '../state/use-settled.ts'
import { Chosen } from './chosen.tsx'
import { Corrections } from './corrections.tsx'
import { itemOf } from './item.ts'
import { Queue } from './queue.tsx'
import { Suggestions } from './suggestions.tsx'
import { TextBox } from './text-box.tsx'
import { useQueue } from './use-queue.ts'
import { useSuggestions } from './use-suggestions.ts'
import { useTagging } from './use-tagging.ts'
import { useWhy } from './use-why.ts'

export function TagRoom({ served: { name }, picker }: { served: ServedName; picker: ComponentChildren }) {
  const { data: facts, problem, again } = useLiveAnswer<ModelFacts>('model', name, 'describe')
  return (
    <>
      <div class="room-head">
        {picker}
        {facts && (
          <p class="facts">
            <span>
              knows <b>{count(facts.labels, 'label')}</b> from <b>{count(facts.rows, 'example')}</b>
            </span>
          </p>
        )}
      </div>
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {facts ? <Tagger facts={facts} /> : !problem && <Waiting rows={6} />}
    </>
  )
}

function Tagger({ facts: { name, takesTexts } }: { facts: ModelFacts }) {
  const [typed, setTyped] = useState('')
  const queue = useQueue(name, takesTexts)
  const text = queue.current?.text ?? typed
  const settled = useSettled(text)
  const item = itemOf(settled, takesTexts)
  const tagging = useTagging(name, item)
  const suggested = useSuggestions(name, item)
  const why = useWhy(name, item)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useKeys({ e: () => box.current?.focus(), '/': () => box.current?.focus(), u: () => void tagging.undoLast() })
  const write = (next: string) => {
    why.open(undefined)
    if (queue.current) queue.edit(next)
    else setTyped(next)
  }
  const what = takesTexts ? 'Text' : 'Vector'
  const words = tellingWords(why.explanation?.features ?? []).map(({ feature }) => feature)
  return (
    <div class="columns tagger">
      <div class="stack">
        <Card title={queue.current ? `${what} ${queue.place + 1} of ${queue.rows.length}` : what} aside={<TextKeys />}>
          <TextBox
            {...{ box, text, words, takesTexts }}
            onText={write}
            onLeave={() => (list.current?.querySelector<HTMLElement>('.suggestion-name') ?? box.current)?.focus()}
          />
          <Chosen model={name} item={item} tagging={tagging} canLearn={!suggested.isUnknown && !suggested.problem} />
        </Card>
        <Queue model={name} {...{ queue, tagging, takesTexts }} />
      </div>
      <div class="stack">
        <Suggestions {...{ model: name, item, tagging, list, suggested, why }} isTyped={text.trim() !== ''} />
        <Corrections model={name} tagging={tagging} />
      </div>
    </div>
  )
}

function TextKeys() {
  return (
    <span class="small soft wide-only key-hint">
      <kbd>e</kbd> edit <kbd>Esc</kbd> to the suggestions
    </span>
  )
}
