// The title of a room, and the choice of what is open in it.

import type { ServedName } from '../backend/backend.ts'
import { keyOf } from './rooms.ts'
import { hashOf, type RoomName } from './router.ts'

interface PickerProps {
  readonly title: string
  readonly room: RoomName
  readonly choices: readonly ServedName[]
  readonly open: ServedName | undefined
}

export function Picker({ title, room, choices, open }: PickerProps) {
  const choose = (name: string) => {
    location.hash = hashOf({ room, name })
  }
  return (
    <>
      <h1>{title}</h1>
      <select
        class="field picker"
        aria-label={`What is open in ${title}`}
        value={open ? keyOf(open, room) : ''}
        onChange={event => choose(event.currentTarget.value)}
      >
        {!open && <option value="">Choose …</option>}
        {choices.map(one => (
          <option key={keyOf(one, room)} value={keyOf(one, room)}>
            {new Set(choices.map(({ kind }) => kind)).size > 1 ? `${one.name} (${one.kind})` : one.name}
          </option>
        ))}
      </select>
    </>
  )
}
