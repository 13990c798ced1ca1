// Reads a model file. Invariant: what is returned is exactly what was written, or there is an error: the header is checked
// before anything is allocated, the checksum before anything is returned.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkPath, checkText } from '../options.ts'
import { type FileHandle, requireNodeModule } from '../platform.ts'
import { checkByteOrder } from './byte-order.ts'
import { Checksum } from './checksum.ts'
import { fileError } from './file-error.ts'
import { blankChecksum, checksumAt, type ModelContents, type TensorEntry } from './header.ts'
import { damaged, type Header, headBytes, headerEnd, parseHeader } from './parse-header.ts'
import { arrayOver, type Tensor } from './tensor.ts'

/** Bytes of one read: few calls, and still in the cache when the checksum comes by. */
const pieceBytes = 2 ** 20

/** Bytes of the file that are wanted: those from `at` on, as many as `target` has room for. */
interface Wanted {
  readonly target: Uint8Array
  readonly at: number
}
/** Reading, as steps that ask for bytes: they may be in memory already, or have to be waited for. */
type Reading<T> = Generator<Wanted, T, void>

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

/** Reads a model file piece by piece. */
export async function readModel(path: string): Promise<ModelContents> {
  return withFile(path, (file, fileBytes) => readSteps(file, readContents(fileBytes, path), path))
}

function* readContents(fileBytes: number, name: string): Reading<ModelContents> {
  checkByteOrder()
  const { header, bytes } = yield* headerSteps(fileBytes, name)
  const checksum = startChecksum(bytes)
  const targets: Uint8Array[] = []
  for (const entry of header.entries) {
    const whole = newBytes(entry)
    for (let from = 0; from < whole.length; from += pieceBytes) {
      const target = whole.subarray(from, from + pieceBytes)
      yield { target, at: header.end + entry.from + from }
      checksum.update(target)
    }
    targets.push(whole)
  }
  const found = checksum.digest()
  if (found !== header.checksum) throw damaged(name, `the checksum is ${found}, the header says ${header.checksum}`)
  return assemble(header, targets)
}

/** The header, and the bytes it was read from. */
function* headerSteps(fileBytes: number, name: string): Reading<{ header: Header; bytes: Uint8Array }> {
  const head = new Uint8Array(Math.min(fileBytes, headBytes))
  yield { target: head, at: 0 }
  const bytes = new Uint8Array(headerEnd(head, fileBytes, name))
  yield { target: bytes, at: 0 }
  return { header: parseHeader(bytes, fileBytes, name), bytes }
}

async function readSteps<T>(file: FileHandle, steps: Reading<T>, path: string): Promise<T> {
  let step = steps.next()
  for (; !step.done; step = steps.next()) await fill(file, step.value.target, step.value.at, path)
  return step.value
}

/** Opens `path` for the time of `use`; what the system refuses becomes an EngineError. */
export async function withFile<T>(path: string, use: (file: FileHandle, fileBytes: number) => Promise<T>): Promise<T> {
  checkPath('path', path)
  const { open, stat } = requireNodeModule('node:fs/promises', 'read a file')
  let file: FileHandle | undefined
  try {
    // Asked before opening: opening a pipe would wait for somebody to write to it.
    const facts = await stat(path)
    if (!facts.isFile()) throw new EngineError('FILE_ACCESS', 'is not a regular file', { where: { file: path } })
    file = await open(path)
    return await use(file, facts.size)
  } catch (error) {
    throw fileError(path, error)
  } finally {
    await file?.close()
  }
}

/** The header alone. */
export async function readHeader(file: FileHandle, fileBytes: number, path: string): Promise<Header> {
  return (await readSteps(file, headerSteps(fileBytes, path), path)).header
}

async function fill(file: FileHandle, target: Uint8Array, at: number, path: string): Promise<void> {
  let done = 0
  while (done < target.length) {
    const { bytesRead } = await file.read(target, done, target.length - done, at + done)
    if (bytesRead === 0) throw damaged(path, `ends at byte ${at + done}: it was changed while it was read`)
    done += bytesRead
  }
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

function assemble({ method, options, meta, entries }: Header, targets: readonly Uint8Array[]): ModelContents {
  const tensors = entries.map(({ name, dtype, shape }, i): [string, Tensor] => {
    return [name, { array: arrayOver(targets[i], dtype), shape }]
  })
  return { method, options, meta, tensors: Object.fromEntries(tensors) }
}
