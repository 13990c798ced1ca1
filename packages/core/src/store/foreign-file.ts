// Describes a file that is not a Vicinal model, from its first bytes.

import { EngineError } from '../errors.ts'

const kinds = [
  ['a gzip archive', '\x1f\x8b'],
  ['a zip archive (PyTorch and NumPy models look like this)', 'PK'],
  ['an HDF5 file', '\x89HDF'],
  ['a NumPy array', '\x93NUMPY'],
  ['a Parquet file', 'PAR1'],
  ['a GGUF model', 'GGUF'],
  ['JSON text', '{'],
  ['JSON text', '['],
] as const

/** The error for `head`, the first bytes of a file that does not begin as ours do. */
export function foreignFile(name: string, head: Uint8Array): EngineError {
  return unknownFormat(name, `not a Vicinal model file: it looks like ${describe(head)}`)
}

/** The error for a safetensors file that another program wrote. */
export function foreignSafetensors(name: string, format: unknown): EngineError {
  const writer = typeof format === 'string' ? ` ("${format}")` : ''
  return unknownFormat(name, `a safetensors file of another program${writer}, not a Vicinal model file`)
}

function unknownFormat(name: string, message: string): EngineError {
  return new EngineError('UNKNOWN_FORMAT', message, {
    where: { file: name },
    hint: 'Give a file written by `vicinal train`, `vicinal index` or a save().',
  })
}

function describe(head: Uint8Array): string {
  const start = String.fromCharCode(...head.subarray(0, 8))
  const kind = kinds.find(([, magic]) => start.startsWith(magic))
  if (kind) return kind[0]
  return head.every(byte => byte >= 0x20 || (byte >= 9 && byte <= 13)) ? 'text' : 'binary data of an unknown kind'
}
