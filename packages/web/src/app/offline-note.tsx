// The service does not answer. The page keeps what it shows, and tries again.

import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Empty } from '../parts/state.tsx'

export function OfflineNote({ onBack }: { onBack: () => void }) {
  useLooking(onBack)
  return (
    <div class="note offline" role="status">
      <Icon name="offline" />
      <span>
        <strong>The service does not answer.</strong> What you see stays. The page continues by itself once the service
        is back.
      </span>
      <button type="button" class="button" onClick={onBack}>
        Try now
      </button>
    </div>
  )
}

/** The same before anything was shown. */
export function NoService({ onRetry }: { onRetry: () => void }) {
  useLooking(onRetry)
  return (
    <Empty icon="offline" title="The service does not answer" whole>
      <p>Check that it is running. The page continues by itself once it answers.</p>
      <button type="button" class="button main" onClick={onRetry}>
        Try now
      </button>
    </Empty>
  )
}

/** Asks every three seconds, and when the browser says that there is a network again. */
function useLooking(ask: () => void): void {
  useEffect(() => {
    const timer = setInterval(ask, 3000)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  })
}
