// How large compressed data may get: a megabyte of gzip can unpack to a gigabyte of zeros. By default 256 MiB, or a hundred
// times what is packed, if that is more: real data stays far below that.

import { EngineError } from '../../errors.ts'
import { type Check, checkText, checkWhole } from '../../options.ts'

const usualBytes = 2 ** 28
const usualRatio = 100

/** The most bytes that `packed` bytes may unpack to; `asked` is the caller's own limit. */
export function maxUnpacked(packed: number, asked: number | undefined): number {
  checkWhole('packed', packed, 0, Number.MAX_SAFE_INTEGER)
  if (asked !== undefined) checkUnpackedLimit('asked', asked)
  return asked ?? Math.max(usualBytes, packed * usualRatio)
}

/** Refuses `unpacked` bytes made of `packed` ones, if they are more than allowed. */
export function checkUnpacked(file: string, unpacked: number, packed: number, asked: number | undefined): void {
  checkText('file', file)
  checkWhole('unpacked', unpacked, 0, Number.MAX_SAFE_INTEGER)
  const most = maxUnpacked(packed, asked)
  if (unpacked <= most) return
  throw new EngineError('BAD_DATA', `${packed} compressed bytes unpack to more than ${most}`, {
    where: { file },
    hint: 'If the data is meant to be this large, raise `maxUnpackedBytes`.',
  })
}

/** The check of `maxUnpackedBytes`. */
export const checkUnpackedLimit: Check = (name, value) => checkWhole(name, value, 1, Number.MAX_SAFE_INTEGER)
