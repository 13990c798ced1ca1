// The last action, with a button to undo it. It disappears by itself, later if it can be undone, and when another room is opened. It stays while
// the mouse or the focus is on it.

import { useEffect, useState } from 'preact/hooks'
import { toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { place } from './router.ts'

export function ToastLine() {
  const shown = useSignal(toast)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => place.watch(hide), [])
  useEffect(() => setHeld(false), [shown])
  useEffect(() => {
    if (!shown || isHeld) return undefined
    const timer = setTimeout(() => hide(), shown.action ? 8000 : 6000)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  if (!shown) return null
  const { text, action } = shown
  const press = () => {
    hide()
    action?.run()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody is about to press its button
    <div
      class="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span aria-hidden="true">{text}</span>
      <button type="button" class="button" onClick={press}>
        {action?.name ?? 'Close'}
      </button>
    </div>
  )
}

function hide(): void {
  toast.value = undefined
}
