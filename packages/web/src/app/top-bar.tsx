import { Icon } from '../parts/icon.tsx'
import { theBackend } from '../state/session.ts'
import { useSignal } from '../state/signal.ts'
import { KeysHelp } from './keys-help.tsx'
import { rooms } from './rooms.ts'
import { place, type RoomName, roomNames } from './router.ts'

export function TopBar() {
  const { room } = useSignal(place)
  return (
    <header class="top">
      <a class="brand" href="#/tag" aria-label="Vicinal, to the start">
        <Mark />
        Vicinal
      </a>
      <nav class="rooms" aria-label="Rooms">
        {roomNames.filter(isThere).map(name => (
          <a key={name} href={`#/${name}`} aria-current={name === room ? 'page' : undefined}>
            <Icon name={rooms[name].icon} />
            {rooms[name].title}
          </a>
        ))}
      </nav>
      <div class="top-end">
        {theBackend().kind === 'http' && (
          <a class="button bare" href="docs">
            API
          </a>
        )}
        <KeysHelp />
      </div>
    </header>
  )
}

/** A site without a server has no memories. */
function isThere(name: RoomName): boolean {
  return name !== 'memory' || theBackend().kind === 'http'
}

/** A point and its neighbors. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false" fill="currentColor">
      <circle cx="16" cy="16" r="6" />
      <circle cx="5" cy="10" r="3" opacity=".55" />
      <circle cx="25" cy="5.5" r="3" opacity=".55" />
      <circle cx="27" cy="24" r="3" opacity=".55" />
      <circle cx="8.5" cy="27" r="3" opacity=".55" />
    </svg>
  )
}
