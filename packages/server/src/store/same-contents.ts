// Whether two memories are the same to the last bit.

import type { ModelContents } from '@vicinal/core/internals'

/** The first difference; undefined if there is none. */
export function contentsDifference(a: ModelContents, b: ModelContents): string | undefined {
  if (JSON.stringify([a.options, a.meta]) !== JSON.stringify([b.options, b.meta])) return 'options or counters'
  const names = new Set([...Object.keys(a.tensors), ...Object.keys(b.tensors)])
  return [...names].find(name => !bytesOf(a, name).equals(bytesOf(b, name)))
}

function bytesOf({ tensors }: ModelContents, name: string): Buffer {
  const array = tensors[name]?.array
  return array ? Buffer.from(array.buffer, array.byteOffset, array.byteLength) : Buffer.alloc(0)
}
