// Reads the header of a model file and trusts nothing: every length is checked against the size of the file before it is used.

import { EngineError } from '../errors.ts'
import { foreignFile, foreignSafetensors } from './foreign-file.ts'
import {
  byLayout,
  formatVersion,
  headerJson,
  lengthBytes,
  type ModelContents,
  maxHeaderBytes,
  opening,
  signature,
  type TensorEntry,
} from './header.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from './json.ts'
import { elementBytes, elementCount, isDtype } from './tensor.ts'

/** How many bytes are needed to know where the header ends. */
export const headBytes = lengthBytes + 120

export interface Header extends Omit<ModelContents, 'tensors'> {
  readonly formatVersion: number
  /** The digits as written. */
  readonly checksum: string
  /** In file order, without gaps, together covering the data. */
  readonly entries: readonly TensorEntry[]
  /** Where the data starts. */
  readonly end: number
}

export function damaged(name: string, message: string, cause?: unknown): EngineError {
  return new EngineError('MODEL_DAMAGED', message, {
    where: { file: name },
    hint: 'Part of the file is lost or changed. Copy it again, or train again.',
    cause,
  })
}

/** Where the header ends, from the first bytes (`headBytes`, or the whole of a shorter file). */
export function headerEnd(head: Uint8Array, fileBytes: number, name: string): number {
  if (head.length <= lengthBytes) throw damaged(name, `${fileBytes} bytes, too short for a model file`)
  const text = new TextDecoder().decode(head.subarray(lengthBytes))
  const ours = text.startsWith(signature)
  if (ours) checkVersion(text, name)
  const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true))
  if (length <= maxHeaderBytes && lengthBytes + length <= fileBytes && text.startsWith('{')) return lengthBytes + length
  if (!ours) throw foreignFile(name, head)
  throw damaged(name, `the header should have ${length} bytes, but the whole file has ${fileBytes}`)
}

function checkVersion(text: string, name: string): void {
  const version = Number.parseInt(text.slice(signature.length), 10)
  if (version > formatVersion) {
    throw new EngineError(
      'FORMAT_TOO_NEW',
      `the file has format version ${version}, this Vicinal reads up to ${formatVersion}`,
      { where: { file: name }, hint: 'Update Vicinal.' },
    )
  }
  if (!text.startsWith(opening)) throw damaged(name, 'the header does not start with the expected bytes')
}

/** `bytes` are the file's, from its start to `headerEnd`. */
export function parseHeader(bytes: Uint8Array, fileBytes: number, name: string): Header {
  const { value: json, text } = parseObject(name, 'the header', () => decodeUtf8(bytes.subarray(lengthBytes)))
  const { __metadata__: metadata, ...tensors } = json
  if (!isJsonObject(metadata) || metadata.format !== 'vicinal') {
    throw foreignSafetensors(name, isJsonObject(metadata) ? metadata.format : undefined)
  }
  const { checksum, method, options, meta } = metadata
  if (![checksum, method, options, meta].every(value => typeof value === 'string')) throw rewritten(name)
  const written = [String(method), String(options), String(meta)] as const
  const header = {
    ...{ formatVersion, checksum: String(checksum), method: written[0] },
    options: parseObject(name, 'options', () => written[1]).value,
    meta: parseObject(name, 'meta', () => written[2]).value,
    entries: checkEntries(name, tensors, fileBytes - bytes.length),
    end: bytes.length,
  }
  // If a name appears twice, JSON keeps the last value. We write every name once, so such a header is not ours.
  if (text.trimEnd() !== headerJson(header.checksum, written, header.entries)) throw rewritten(name)
  return header
}

function rewritten(name: string): EngineError {
  return damaged(name, 'the header was rewritten, perhaps by another program')
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function parseObject(name: string, what: string, read: () => string): { value: JsonObject; text: string } {
  try {
    const text = read()
    const value = parseJson(what, text)
    if (isJsonObject(value)) return { value, text }
  } catch (error) {
    throw damaged(name, `${what} cannot be read: ${error instanceof Error ? error.message : error}`, error)
  }
  throw damaged(name, `${what} cannot be read: expected a JSON object`)
}

/** The entries in file order; together they must cover `dataBytes` without gap or overlap. */
function checkEntries(name: string, tensors: JsonObject, dataBytes: number): TensorEntry[] {
  const entries = Object.entries(tensors).map(([tensor, value]) => checkEntry(name, tensor, value))
  entries.sort((a, b) => a.from - b.from || a.to - b.to || byLayout(a, b))
  let end = 0
  for (const { name: tensor, from, to } of entries) {
    if (from !== end) throw damaged(name, `tensor "${tensor}" starts at ${from}, expected ${end}`)
    end = to
  }
  if (end > dataBytes) throw damaged(name, `truncated: ${dataBytes} bytes of data, expected ${end}`)
  if (end < dataBytes) throw damaged(name, `${dataBytes - end} bytes too many after the last tensor`)
  return entries
}

function checkEntry(name: string, tensor: string, value: Json): TensorEntry {
  const { dtype, shape, data_offsets: offsets } = isJsonObject(value) ? value : {}
  const [from, to] = Array.isArray(offsets) && offsets.length === 2 ? offsets : []
  const countable = Number.isSafeInteger(from) && Number.isSafeInteger(to)
  if (!countable || !isDtype(dtype) || to - from !== elementCount(shape) * elementBytes(dtype)) {
    throw damaged(name, `the header's entry for tensor "${tensor}" is wrong`)
  }
  return { name: tensor, dtype, shape: shape as readonly number[], from, to } // elementCount is NaN for any other shape
}
