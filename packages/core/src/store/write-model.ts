// A model's contents as the bytes of a model file (see header.ts for the layout), in pieces and without copying
// the tensors. The same contents always give the same bytes.

import { finish, type Steps } from '../long-work.ts'
import { checkByteOrder } from './byte-order.ts'
import { Checksum } from './checksum.ts'
import { checkContents, checksumAt, encodeHeader, type ModelContents } from './header.ts'
import { bytesOf } from './tensor.ts'

/** Bytes whose checksum is computed in one step: about a millisecond. */
const stepBytes = 2 ** 20

/** The file's bytes: the header, then views of the tensors. */
export function encodeModel(contents: ModelContents): Uint8Array[] {
  return finish(encodeInSteps(contents))
}

/** The same in steps. */
export function* encodeInSteps(contents: ModelContents): Steps<Uint8Array[]> {
  checkByteOrder()
  checkContents(contents)
  const { bytes: header, entries } = encodeHeader(contents)
  const chunks = [header, ...entries.map(({ name }) => bytesOf(contents.tensors[name].array))]
  const checksum = new Checksum()
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += stepBytes) {
      checksum.update(chunk.subarray(from, from + stepBytes))
      yield from
    }
  }
  header.set(new TextEncoder().encode(checksum.digest()), checksumAt)
  return chunks
}
