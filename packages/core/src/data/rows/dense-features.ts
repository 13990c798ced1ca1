// Shared by the writers of binary matrices.

import { EngineError, throwIfAborted } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { Dataset } from '../dataset.ts'
import type { Output } from '../format.ts'
import { checkFeatures, checkHasColumns } from '../write-checks.ts'

const pieceBytes = 2 ** 20

/** The dense features to write, checked; a data set without them cannot be written in `format`. */
export function denseFeatures({ name, features }: Dataset, format: string, mostColumns?: number): DenseMatrix {
  if (features instanceof DenseMatrix) {
    checkFeatures(features, format)
    checkHasColumns(features, format, mostColumns)
    return features
  }
  const found = features ? 'sparse features' : 'no features'
  throw new EngineError('INVALID_OPTION', `${name} has ${found}, and ${format} files hold dense ones only`, {
    hint: 'Write it as jsonl.',
  })
}

/** Writes `bytes` in pieces. */
export async function writeBytes(bytes: Uint8Array, output: Output, { signal, onProgress }: LongWork): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    throwIfAborted(signal)
    await output.write(bytes.subarray(at, at + pieceBytes))
    onProgress?.({ what: 'writing', done: Math.min(at + pieceBytes, bytes.length), total: bytes.length })
  }
}
