import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { gzipTo } from './gzip-output.ts'

describe('gzipTo', () => {
  it('compresses what is written', async () => {
    const parts: Uint8Array[] = []
    const output = { name: 'a.gz', write: async (chunk: Uint8Array | string) => void parts.push(Buffer.from(chunk)) }
    await gzipTo(output, async zipped => {
      for (let i = 0; i < 100; i++) await zipped.write('0123456789'.repeat(10_000))
    })
    expect(gunzipSync(Buffer.concat(parts)).length).toBe(10_000_000)
  })

  it('fails with the cause when the output fails', async () => {
    const output = { name: 'a.gz', write: () => Promise.reject(new Error('disk full')) }
    const writing = gzipTo(output, async zipped => {
      for (let i = 0; i < 100; i++) await zipped.write(crypto.getRandomValues(new Uint8Array(60_000)))
    })
    await expect(writing).rejects.toThrow('disk full')
  })

  it('fails with the cause when the writer fails', async () => {
    const output = { name: 'a.gz', write: async () => {} }
    const writing = gzipTo(output, async zipped => {
      await zipped.write('x')
      throw new Error('no more rows')
    })
    await expect(writing).rejects.toThrow('no more rows')
  })
})
