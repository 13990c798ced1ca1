// Reads what a model file holds. Invariant: it returns exactly what was written, or throws. The header is checked before anything is allocated, the
// checksum before anything is returned.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkText } from '../options.ts'
import { checkByteOrder } from './byte-order.ts'
import { Checksum } from './checksum.ts'
import { blankChecksum, checksumAt, type ModelContents, type TensorEntry } from './header.ts'
import { damaged, type Header, headBytes, headerEnd, parseHeader } from './parse-header.ts'
import { arrayOver, bytesOf, type Tensor, type TensorArray } from './tensor.ts'

/** Bytes per read: few calls, and the bytes are still in the cache when the checksum is computed. */
const pieceBytes = 2 ** 20

/** A request for bytes of the file: fill `target` with those from `at` on. */
interface Wanted {
  readonly target: Uint8Array
  readonly at: number
}
/** Reading as a generator that asks for bytes: they may already be in memory, or still have to be read. */
export type ReadSteps<T> = Generator<Wanted, T, void>

/** The contents of a model file that is in memory; `name` is what messages call it. The tensors are copies. */
export function decodeModel(bytes: Uint8Array, name = 'the model'): ModelContents {
  checkNumbers('bytes', bytes, [Uint8Array])
  checkText('name', name)
  const steps = readContents(bytes.length, name)
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    const { target, at } = step.value
    target.set(bytes.subarray(at, at + target.length))
  }
  return step.value
}

/** Where a tensor of a model of that method goes; undefined: into a new array. */
export type MakeRoom = (tensor: TensorEntry, method: string) => TensorArray | undefined

/** `makeRoom` may say where a tensor goes. */
export function* readContents(fileBytes: number, name: string, makeRoom?: MakeRoom): ReadSteps<ModelContents> {
  checkByteOrder()
  const { header, bytes } = yield* headerSteps(fileBytes, name)
  const checksum = startChecksum(bytes)
  const arrays: TensorArray[] = []
  for (const entry of header.entries) {
    const array = makeRoom?.(entry, header.method) ?? arrayOver(newBytes(entry), entry.dtype)
    const whole = bytesOf(array)
    for (let from = 0; from < whole.length; from += pieceBytes) {
      const target = whole.subarray(from, from + pieceBytes)
      yield { target, at: header.end + entry.from + from }
      checksum.update(target)
    }
    arrays.push(array)
  }
  const found = checksum.digest()
  if (found !== header.checksum) throw damaged(name, `the checksum is ${found}, the header says ${header.checksum}`)
  return assemble(header, arrays)
}

/** The header, and the bytes it was read from. */
export function* headerSteps(fileBytes: number, name: string): ReadSteps<{ header: Header; bytes: Uint8Array }> {
  const head = new Uint8Array(Math.min(fileBytes, headBytes))
  yield { target: head, at: 0 }
  const bytes = new Uint8Array(headerEnd(head, fileBytes, name))
  yield { target: bytes, at: 0 }
  return { header: parseHeader(bytes, fileBytes, name), bytes }
}

/** The checksum's own digits count as zeros. */
function startChecksum(bytes: Uint8Array): Checksum {
  return new Checksum()
    .update(bytes.subarray(0, checksumAt))
    .update(new TextEncoder().encode(blankChecksum))
    .update(bytes.subarray(checksumAt + blankChecksum.length))
}

function newBytes({ name, from, to }: TensorEntry): Uint8Array {
  try {
    return new Uint8Array(to - from)
  } catch (cause) {
    throw new EngineError('OUT_OF_MEMORY', `tensor "${name}" needs ${to - from} bytes`, { cause })
  }
}

function assemble({ method, options, meta, entries }: Header, arrays: readonly TensorArray[]): ModelContents {
  const tensors = entries.map(({ name, shape }, i): [string, Tensor] => [name, { array: arrays[i], shape }])
  return { method, options, meta, tensors: Object.fromEntries(tensors) }
}
