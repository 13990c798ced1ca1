// The text to tag. Words that point to the open label are marked behind the letters; the box grows with the text.

import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { MarkedText } from '../parts/marked-text.tsx'

interface TextBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly words: readonly string[]
  readonly takesTexts: boolean
  onText(text: string): void
  /** From the text to the suggestions. */
  onLeave(): void
}

export function TextBox({ box, text, words, takesTexts, onText, onLeave }: TextBoxProps) {
  const behind = useRef<HTMLDivElement>(null)
  return (
    <div class="text-box">
      <div ref={behind} class="text-behind" dir="auto" aria-hidden="true">
        <MarkedText text={text} words={words} />
        {'\n'}
      </div>
      <textarea
        ref={box}
        aria-label={takesTexts ? 'The text to tag' : 'The vector to label'}
        placeholder={takesTexts ? 'Type or paste a text …' : 'Paste a vector: 0.1, 0, 3.5 …'}
        dir="auto"
        spellcheck={false}
        value={text}
        onScroll={event => behind.current?.scrollTo({ top: event.currentTarget.scrollTop })}
        onInput={event => onText(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && !event.isComposing && onLeave()}
      />
    </div>
  )
}
