import { openInput } from '@vicinal/core/internals'
import { describe, expect, it } from 'vitest'
import { hdf5 } from './hdf5-format.ts'
import { parquet } from './parquet-format.ts'

describe('a stream that never ends', () => {
  async function* endless(start: readonly number[]): AsyncGenerator<Uint8Array> {
    yield Uint8Array.from(start)
    for (;;) yield new Uint8Array(2 ** 16)
  }

  it.each([
    [parquet, [], {}, 'its first bytes do not match'],
    [hdf5, [], {}, 'its first bytes do not match'],
    [parquet, [0x50, 0x41, 0x52, 0x31], { maxUnpackedBytes: 2 ** 20 }, 'more than 1048576 bytes'],
  ] as const)(
    'of $0.name is refused once that is seen, not when the disk is full',
    async (format, start, limit, message) => {
      const input = await openInput(endless(start), { name: 'endless' })
      await expect(format.read(input, limit)).rejects.toMatchObject({
        code: 'BAD_DATA',
        message: expect.stringContaining(message),
      })
    },
  )
})
