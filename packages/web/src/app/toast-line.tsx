// The last action, with a button to undo it. It disappears by itself, later if it can be undone, and when another room is opened.

import { useEffect } from 'preact/hooks'
import { toast } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { place } from './router.ts'

export function ToastLine() {
  const shown = useSignal(toast)
  useEffect(() => place.watch(hide), [])
  useEffect(() => {
    if (!shown) return undefined
    const timer = setTimeout(() => hide(), shown.action ? 8000 : 6000)
    return () => clearTimeout(timer)
  }, [shown])
  if (!shown) return null
  const { text, action } = shown
  const press = () => {
    hide()
    action?.run()
  }
  return (
    <div class="toast">
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
