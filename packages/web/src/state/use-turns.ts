// Actions one after the other: the second of two quick clicks sees what the first one did.

import { useRef } from 'preact/hooks'

/** Actions report their own failures. */
export function useTurns(): (action: () => Promise<void>) => Promise<void> {
  const last = useRef(Promise.resolve())
  return action => {
    last.current = last.current.then(action)
    return last.current
  }
}
