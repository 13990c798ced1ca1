// The frame: rooms at the top (at the bottom on a phone), the room that is open, and messages that concern the whole page.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { LoadProgress, Problem, ServedName } from '../backend/backend.ts'
import { ProblemNote } from '../parts/state.tsx'
import { connection, noteConnection, theBackend } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { Announcer } from './announcer.tsx'
import { Loading } from './loading.tsx'
import { NoService, OfflineNote } from './offline-note.tsx'
import { OpenRoom } from './open-room.tsx'
import { rooms } from './rooms.ts'
import { place } from './router.ts'
import { ToastLine } from './toast-line.tsx'
import { TokenForm } from './token-form.tsx'
import { TopBar } from './top-bar.tsx'

export function App() {
  const { served, problem, progress, ask } = useServed()
  const state = useSignal(connection)
  const { room } = useSignal(place)
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${rooms[room].title} · Vicinal`
  }, [room])
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <TopBar />
      <main class="room" id="main" tabIndex={-1} ref={main}>
        {state === 'off' && served && <OfflineNote onBack={ask} />}
        {state === 'token' ? (
          <TokenForm wasRefused={problem?.message.includes('not known') === true} onToken={ask} />
        ) : served ? (
          <OpenRoom served={served} />
        ) : problem?.code === 'OFFLINE' ? (
          <NoService onRetry={ask} />
        ) : problem ? (
          <ProblemNote problem={problem} onRetry={theBackend().kind === 'worker' ? reload : ask} />
        ) : (
          <Loading progress={progress} />
        )}
      </main>
      <ToastLine />
      <Announcer />
    </div>
  )
}

/** A worker whose files did not come has ended. */
function reload(): void {
  location.reload()
}

/** What is served, asked for at the start and whenever the connection comes back. */
function useServed() {
  const [served, setServed] = useState<readonly ServedName[]>()
  const [problem, setProblem] = useState<Problem>()
  const [progress, setProgress] = useState<LoadProgress>()
  const ask = async () => {
    const backend = theBackend()
    backend.onProgress = setProgress
    try {
      setServed(await backend.served())
      setProblem(undefined)
      connection.value = 'on'
    } catch (error) {
      setProblem(error as Problem)
      noteConnection(error)
    }
  }
  useEffect(() => void ask(), [])
  return { served, problem, progress, ask }
}
