// The room that the address names, showing what is open in it.

import type { ServedName } from '../backend/backend.ts'
import { MemoryRoom } from '../memory/memory-room.tsx'
import { ModelsRoom } from '../models/models-room.tsx'
import { Empty } from '../parts/state.tsx'
import { SearchRoom } from '../search/search-room.tsx'
import { useSignal } from '../state/signal.ts'
import { TagRoom } from '../tag/tag-room.tsx'
import { Picker } from './picker.tsx'
import { keyOf, rooms } from './rooms.ts'
import { place } from './router.ts'

const views = { tag: TagRoom, search: SearchRoom, memory: MemoryRoom, models: ModelsRoom }

export function OpenRoom({ served }: { served: readonly ServedName[] }) {
  const { room, name } = useSignal(place)
  const { kinds, missing, icon, title } = rooms[room]
  const choices = served.filter(({ kind }) => kinds.includes(kind))
  const open = name === '' ? choices[0] : choices.find(one => keyOf(one, room) === name || one.name === name)
  if (choices.length === 0) {
    return (
      <Empty icon={icon} title={missing.title} whole>
        <p>{missing.text}</p>
        <pre class="commands">{missing.commands.join('\n')}</pre>
      </Empty>
    )
  }
  const View = views[room]
  const picker = <Picker title={title} room={room} choices={choices} open={open} />
  if (open) return <View key={`${open.kind}/${open.name}`} served={open} picker={picker} />
  return (
    <>
      <div class="room-head">{picker}</div>
      <Empty icon={icon} title={`Nothing called “${name}” is served here`}>
        <p>Choose another one above.</p>
      </Empty>
    </>
  )
}
