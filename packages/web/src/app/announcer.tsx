// Tells screen readers what changed elsewhere on the page.

import { announced, toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'

export function Announcer() {
  const text = useSignal(announced)
  const shown = useSignal(toast)
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {text}
      </div>
      <div class="unseen" role="status" aria-live="polite">
        {shown?.text}
      </div>
    </>
  )
}
