// Changes the text of a model file's header, and seals the file again: entries doubled, renamed, moved, of other sizes.

import { decodeModel } from '@vicinal/core/internals'
import type { Random } from 'vicinal'
import { pick } from './pick.ts'

/** How a file begins: the header's length, and its first fields up to the checksum. */
const lengthBytes = 8
const checksumAt = lengthBytes + '{"__metadata__":{"format":"vicinal","formatVersion":"1","checksum":"'.length

const numbers = ['0', '-1', '1', '64', '1e300', '9007199254740992', '4294967295', '0.5', 'null', '"x"', '[]', '[[1]]']

type Edit = (text: string, random: Random) => string

/** The file with one to three changes of its header, or with those that are given. */
export function changeHeader(
  bytes: Uint8Array,
  random: Random,
  given?: readonly Edit[],
): { bytes: Uint8Array; changes: string[] } {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  let text = new TextDecoder().decode(bytes.subarray(lengthBytes, lengthBytes + length)).trimEnd()
  const chosen = given?.map(edit => ['given', edit] as const) ?? someEdits(random)
  for (const [, edit] of chosen) text = edit(text, random)
  const changes = chosen.map(([name]) => name)
  return { bytes: sealed(text, bytes.subarray(lengthBytes + length)), changes }
}

function someEdits(random: Random): readonly (readonly [string, Edit])[] {
  return Array.from({ length: 1 + random.below(3) }, () => pick(Object.entries(edits), random))
}

/** Replaces one of the places that match; the text itself where there is none. */
function replaceOne(text: string, pattern: RegExp, random: Random, make: (found: string) => string): string {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { 0: old, index } = pick(found, random)
  return text.slice(0, index) + make(old) + text.slice(index + old.length)
}

const entry = /,"[^"]+":\{"dtype":"[A-Z0-9]+","shape":\[[^\]]*\],"data_offsets":\[[^\]]*\]\}/g

const edits: Record<string, Edit> = {
  'an entry twice': (text, random) => replaceOne(text, entry, random, found => found + found),
  'an entry dropped': (text, random) => replaceOne(text, entry, random, () => ''),
  'an entry renamed': (text, random) =>
    replaceOne(text, entry, random, found => {
      return found.replace(/"[^"]+"/, pick(['"__proto__"', '"constructor"', '""', '"rows"', '"__metadata__"'], random))
    }),
  'an entry of another type': (text, random) =>
    replaceOne(
      text,
      /"dtype":"[A-Z0-9]+"/g,
      random,
      () => `"dtype":"${pick(['F64', 'U8', 'F32', 'I64', 'BOOL'], random)}"`,
    ),
  'another shape': (text, random) =>
    replaceOne(
      text,
      /"shape":\[[^\]]*\]/g,
      random,
      () => `"shape":[${pick(numbers, random)},${pick(numbers, random)}]`,
    ),
  'other offsets': (text, random) =>
    replaceOne(text, /"data_offsets":\[[^\]]*\]/g, random, () => {
      return `"data_offsets":[${pick(numbers, random)},${pick(numbers, random)}]`
    }),
  'another number': (text, random) => replaceOne(text, /(?<=[[,:])\d+/g, random, () => pick(numbers, random)),
  'empty tensors': (text, random) => {
    const many = Array.from({ length: random.below(300) }, (_, i) => {
      return `,"z${i}":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`
    })
    return `${text.slice(0, -1)}${many.join('')}}`
  },
  'metadata twice': text => `${text.slice(0, -1)},"__metadata__":{"format":"vicinal","method":"exact"}}`,
  'deep metadata': text => text.replace('"meta":"{', `"meta":"{\\"x\\":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
  'a prototype in the metadata': text => text.replace('"meta":"{', '"meta":"{\\"__proto__\\":{\\"rows\\":5},'),
  'a character dropped': (text, random) => {
    const at = checksumAt + random.below(text.length - checksumAt)
    return text.slice(0, at) + text.slice(at + 1)
  },
  'a character changed': (text, random) => {
    const at = checksumAt + random.below(text.length - checksumAt)
    return text.slice(0, at) + pick(['"', '{', '}', '[', ',', '9', '\\', '\u0000', 'é'], random) + text.slice(at + 1)
  },
}

/** The file with this header, and with the checksum that it should have. */
function sealed(text: string, data: Uint8Array): Uint8Array {
  const bytes = fileOf(text, data)
  try {
    decodeModel(bytes, 'hostile')
  } catch (error) {
    // The error says it.
    const [, checksum] = /the checksum is ([0-9a-f]{8}), /.exec(String(error)) ?? []
    if (checksum) bytes.set(new TextEncoder().encode(checksum), checksumAt)
  }
  return bytes
}

function fileOf(text: string, data: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(text)
  const bytes = new Uint8Array(lengthBytes + json.length + data.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true)
  bytes.set(json, lengthBytes)
  bytes.set(data, lengthBytes + json.length)
  return bytes
}
