// One key for one action, as long as nobody is typing or reading a dialog.

import { useEffect } from 'preact/hooks'
import { singleKeys } from './single-keys.ts'

/** Keys of `actions` are those of KeyboardEvent.key. An action may return false to leave the key to the browser. */
export function useKeys(actions: Readonly<Record<string, () => unknown>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.key.length === 1 && !singleKeys.value) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      const action = actions[event.key]
      if (action && action() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [role="combobox"]') !== null
}
