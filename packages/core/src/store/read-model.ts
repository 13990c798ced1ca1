// Reads a model file. Invariant: what is returned is exactly what was written, or there is an error: the header is checked
// before anything is allocated, the checksum before anything is returned.

import { EngineError, throwIfAborted } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkFunction, checkOptions, checkPath, checkSignal, checkText, optionTable } from '../options.ts'
import { type FileHandle, requireNodeModule } from '../platform.ts'
import type { WebSignal } from '../web-types.ts'
import { checkByteOrder } from './byte-order.ts'
import { Checksum } from './checksum.ts'
import { fileError } from './file-error.ts'
import { blankChecksum, checksumAt, type ModelContents, type TensorEntry } from './header.ts'
import { damaged, type Header, headBytes, headerEnd, parseHeader } from './parse-header.ts'
import { arrayOver, type Dtype, elementBytes, type Tensor } from './tensor.ts'

/**
 * Chooses where a tensor's bytes go: a view of exactly `byteLength` bytes, on a multiple of the element's size, in any
 * memory (a WASM memory, shared or not). What was written there before an error is to be ignored.
 */
export type PlaceTensor = (name: string, dtype: Dtype, shape: readonly number[], byteLength: number) => Uint8Array

/** Options of `readModel`. */
export interface ReadModelOptions {
  /** Where the tensors go. Default: new memory, one buffer a tensor. */
  readonly place?: PlaceTensor
  /** Stops the reading with ABORTED. */
  readonly signal?: WebSignal | undefined
}

const readOptions = optionTable<ReadModelOptions>({ place: checkFunction, signal: checkSignal })

/** Bytes of one read: few calls, and still in the cache when the checksum comes by. */
const pieceBytes = 2 ** 20

/** The contents of a model file that is in memory; `name` is what messages call it. The tensors are copies. */
export function decodeModel(bytes: Uint8Array, name = 'the model', options: ReadModelOptions = {}): ModelContents {
  checkOptions(options, readOptions)
  checkByteOrder()
  checkNumbers('bytes', bytes, [Uint8Array])
  checkText('name', name)
  const end = headerEnd(bytes.slice(0, headBytes), bytes.length, name)
  const head = bytes.slice(0, end) // a copy, as text decoders take no shared memory
  const header = parseHeader(head, bytes.length, name)
  const checksum = startChecksum(head).update(bytes.subarray(end))
  verify(header, checksum, name)
  return assemble(
    header,
    header.entries.map(entry => {
      const target = allocate(entry, options.place)
      target.set(bytes.subarray(end + entry.from, end + entry.to))
      return target
    }),
  )
}

/** Reads a model file piece by piece, straight into its tensors' memory. */
export async function readModel(path: string, options: ReadModelOptions = {}): Promise<ModelContents> {
  checkOptions(options, readOptions)
  checkByteOrder()
  return withFile(path, async (file, fileBytes) => {
    const { header, bytes } = await readHeader(file, fileBytes, path)
    const checksum = startChecksum(bytes)
    const targets: Uint8Array[] = []
    for (const entry of header.entries) {
      const target = allocate(entry, options.place)
      for (let from = 0; from < target.length; from += pieceBytes) {
        throwIfAborted(options.signal)
        const piece = target.subarray(from, from + pieceBytes)
        await fill(file, piece, header.end + entry.from + from, path)
        checksum.update(piece)
      }
      targets.push(target)
    }
    verify(header, checksum, path)
    return assemble(header, targets)
  })
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

/** The header, and the bytes it was read from. */
export async function readHeader(
  file: FileHandle,
  fileBytes: number,
  path: string,
): Promise<{ header: Header; bytes: Uint8Array }> {
  const head = new Uint8Array(Math.min(fileBytes, headBytes))
  await fill(file, head, 0, path)
  const bytes = new Uint8Array(headerEnd(head, fileBytes, path))
  await fill(file, bytes, 0, path)
  return { header: parseHeader(bytes, fileBytes, path), bytes }
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

function verify(header: Header, checksum: Checksum, name: string): void {
  const found = checksum.digest()
  if (found !== header.checksum) throw damaged(name, `the checksum is ${found}, the header says ${header.checksum}`)
}

function allocate({ name, dtype, shape, from, to }: TensorEntry, place: PlaceTensor | undefined): Uint8Array {
  const target = place ? place(name, dtype, shape, to - from) : newBytes(name, to - from)
  checkNumbers(`what place gave for tensor "${name}"`, target, [Uint8Array])
  if (target.length !== to - from || target.byteOffset % elementBytes(dtype) !== 0) {
    const given = `${target.length} bytes at ${target.byteOffset}`
    throw new EngineError('INVALID_OPTION', `place gave ${given} for tensor "${name}", ${dtype} of ${to - from} bytes`)
  }
  return target
}

function newBytes(name: string, bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes)
  } catch (cause) {
    throw new EngineError('OUT_OF_MEMORY', `tensor "${name}" needs ${bytes} bytes`, { cause })
  }
}

function assemble({ method, options, meta, entries }: Header, targets: readonly Uint8Array[]): ModelContents {
  const tensors = entries.map(({ name, dtype, shape }, i): [string, Tensor] => {
    return [name, { array: arrayOver(targets[i], dtype), shape }]
  })
  return { method, options, meta, tensors: Object.fromEntries(tensors) }
}
