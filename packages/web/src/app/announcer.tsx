// Tells screen readers what changed elsewhere on the page.

import { useRef } from 'preact/hooks'
import { announced, toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'

export function Announcer() {
  const text = useSignal(announced)
  const shown = useSignal(toast)
  return (
    <>
      <Told what={text} text={text} />
      <Told what={shown} text={shown?.text} />
    </>
  )
}

/** Read out whenever `what` is another one: a new element, because the same text would be no change. */
function Told({ what, text }: { what: unknown; text: string | undefined }) {
  const last = useRef({ what, turn: 0 })
  if (last.current.what !== what) last.current = { what, turn: last.current.turn + 1 }
  return (
    <div class="unseen" role="status" aria-live="polite">
      <span key={last.current.turn}>{text}</span>
    </div>
  )
}
