// The header of a model file, in the safetensors layout: a u64 with the header's length, the header as JSON, padded with
// spaces, then the tensors' bytes, little-endian, without a gap between them (the official reader refuses gaps).
// So alignment comes from order: the data starts on a multiple of 64, and larger elements come first.
// The header begins with the same bytes in every file of a version, so that the checksum has a fixed place.

import { EngineError } from '../errors.ts'
import { checkObject, checkText, refuse } from '../options.ts'
import { type JsonObject, toJson } from './json.ts'
import { type Dtype, dtypeOf, elementBytes, elementCount, type Tensor } from './tensor.ts'

/** The version this code writes, and the newest it reads. */
export const formatVersion = 1
/** How the header of every model file begins, whatever its version. */
export const signature = '{"__metadata__":{"format":"vicinal","formatVersion":"'
/** How the header of a file of our version begins; the checksum's digits follow. */
export const opening = `${signature}${formatVersion}","checksum":"`
/** Replaces the digits while the checksum is computed. */
export const blankChecksum = '00000000'
export const lengthBytes = 8
export const checksumAt = lengthBytes + opening.length
/** The limit of the official safetensors reader. */
export const maxHeaderBytes = 100_000_000
const dataAlignment = 64

/** Everything a model file stores. */
export interface ModelContents {
  /** The method's name: 'lcif'. */
  readonly method: string
  /** The options it was fitted with. */
  readonly options: JsonObject
  /** Anything else that is JSON: label names, feature names, the text pipeline. Long lists: see packed-strings.ts. */
  readonly meta: JsonObject
  readonly tensors: Readonly<Record<string, Tensor>>
}

/** Refuses contents with a part of the wrong type: they may be written by hand. */
export function checkContents(contents: ModelContents): void {
  checkObject('contents', contents, 'the contents of a model')
  checkText('contents.method', contents.method)
  for (const part of ['options', 'meta', 'tensors'] as const)
    checkObject(`contents.${part}`, contents[part], 'an object')
  for (const [name, tensor] of Object.entries(contents.tensors)) {
    checkObject(`tensor "${name}"`, tensor, 'an array with its shape')
    if (!Array.isArray(tensor.shape)) refuse(`the shape of tensor "${name}"`, tensor.shape, 'a list of lengths')
  }
}

/** Where a tensor is: bytes [from, to), counted from the start of the data. */
export interface TensorEntry {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly from: number
  readonly to: number
}

/** The file's bytes up to the data, with a blank checksum, and the tensors in the order they follow. */
export function encodeHeader(contents: ModelContents): { bytes: Uint8Array; entries: TensorEntry[] } {
  const { method, options, meta, tensors } = contents
  const entries = layOut(tensors)
  const json = headerJson(blankChecksum, [method, toJson('options', options), toJson('meta', meta)], entries)
  return { bytes: padHeader(new TextEncoder().encode(json)), entries }
}

/** The header without its padding: method, options and meta as they are written, and the tensors in order. */
export function headerJson(
  checksum: string,
  [method, options, meta]: readonly [string, string, string],
  entries: readonly TensorEntry[],
): string {
  const metadata = Object.entries({ method, options, meta }).map(([key, value]) => `,"${key}":${JSON.stringify(value)}`)
  return `${opening}${checksum}"${metadata.join('')}}${entries.map(entryJson).join('')}}`
}

function layOut(tensors: ModelContents['tensors']): TensorEntry[] {
  const described = Object.entries(tensors).map(([name, tensor]) => describe(name, tensor))
  described.sort(byLayout)
  let end = 0
  return described.map(tensor => {
    const from = end
    end += elementCount(tensor.shape) * elementBytes(tensor.dtype)
    return { ...tensor, from, to: end }
  })
}

/** The order of tensors in the data: larger elements first, so that all are aligned. */
export function byLayout(a: Pick<TensorEntry, 'name' | 'dtype'>, b: Pick<TensorEntry, 'name' | 'dtype'>): number {
  return elementBytes(b.dtype) - elementBytes(a.dtype) || (a.name < b.name ? -1 : 1)
}

function describe(name: string, { array, shape }: Tensor): { name: string; dtype: Dtype; shape: readonly number[] } {
  if (name === '__metadata__' || /\p{Surrogate}/u.test(name)) {
    throw new EngineError('INVALID_OPTION', `a tensor must not be named ${JSON.stringify(name)}`)
  }
  const dtype = dtypeOf(name, array)
  if (elementCount(shape) !== array.length) {
    const wanted = `tensor "${name}" has shape [${shape.join(', ')}]`
    throw new EngineError('DIMENSION_MISMATCH', `${wanted}, but its array has ${array.length} elements`)
  }
  return { name, dtype, shape }
}

function entryJson({ name, dtype, shape, from, to }: TensorEntry): string {
  return `,${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [from, to] })}`
}

function padHeader(json: Uint8Array): Uint8Array {
  const end = Math.ceil((lengthBytes + json.length) / dataAlignment) * dataAlignment
  if (end - lengthBytes > maxHeaderBytes) {
    throw new EngineError('OUT_OF_MEMORY', `the header has ${json.length} bytes, at most ${maxHeaderBytes} fit`, {
      hint: 'Put long lists of names into tensors: see packStrings.',
    })
  }
  const bytes = new Uint8Array(end).fill(0x20)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(end - lengthBytes), true)
  bytes.set(json, lengthBytes)
  return bytes
}
