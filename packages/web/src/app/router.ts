// The address after '#': #/tag/titles is the room Tag with the model titles.

import { Signal } from '../state/signal.ts'

export const roomNames = ['tag', 'search', 'memory', 'models'] as const
export type RoomName = (typeof roomNames)[number]

export interface Place {
  readonly room: RoomName
  /** What is open in the room: 'titles', or in Search 'collection:books'. Empty: the first one. */
  readonly name: string
}

export function placeOf(hash: string): Place {
  const [, room = '', name = ''] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? []
  const known = roomNames.find(one => one === room)
  return { room: known ?? 'tag', name: known ? decoded(name) : '' }
}

export function hashOf({ room, name }: Place): string {
  return name === '' ? `#/${room}` : `#/${room}/${encodeURIComponent(name)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // not one of our links: the room says that it does not know the name
  }
}

export const place = new Signal<Place>(placeOf(location.hash))
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash)
})
