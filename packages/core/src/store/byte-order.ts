// Typed arrays use the machine's byte order; model files are little-endian. Both are the same on every machine we support.

import { EngineError } from '../errors.ts'

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

export function checkByteOrder(): void {
  if (littleEndian) return
  throw new EngineError('UNSUPPORTED', 'model files need a little-endian machine, this one is big-endian')
}
