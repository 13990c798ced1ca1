// What all readers promise: the same bytes give the same data set, wherever the chunks are cut.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openInput } from './bytes/byte-source.ts'
import { jsonl } from './records/jsonl.ts'
import { csv } from './table/csv.ts'
import { tsv } from './table/tsv.ts'
import { idx } from './vectors/idx.ts'
import { npy } from './vectors/npy.ts'
import { bvecs } from './vectors/vecs.ts'

const bytesOf = (content: string): number[] => Array.from(new TextEncoder().encode(content))

const samples = [
  { format: csv, bytes: bytesOf('\ufeffid,text,labels\r\n1,"é, ""x""\r\ny",a;b\r\nbad\r\n2,z,b\r\n') },
  { format: csv, bytes: bytesOf('class;x;y\na;1.5;-2e3\nb;nan;1\nb;0;7') },
  { format: tsv, bytes: bytesOf('\ufeffA title é\tp1 p2\r\nbad\r\nOther\tp2\r\n\r\n') },
  {
    format: jsonl,
    bytes: bytesOf('{"text":"é","labels":["ä","b"],"vector":[1,2]}\n{\n{"text":"","labels":[],"vector":[3,4]}'),
  },
  {
    format: npy,
    bytes: [
      0x93,
      ...bytesOf(`NUMPY\x01\0\x3a\0{'descr': '>i2', 'fortran_order': True, 'shape': (3, 2), }`),
      ...Array(12).keys(),
    ],
  },
  { format: bvecs, bytes: [2, 0, 0, 0, 7, 8, 2, 0, 0, 0, 9, 10] },
  { format: idx, bytes: [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4] },
].map(({ format, bytes }) => ({ format, name: format.name, bytes: Uint8Array.from(bytes) }))

async function* cut(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map(at => Math.min(at, bytes.length)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i])
}

describe.each(samples)('$name', ({ format, bytes }) => {
  it('reads the same data set wherever the chunks are cut', async () => {
    const whole = await format.read(await openInput(bytes, { name: 'a' }), { skipBadRows: true })
    expect(whole.rows).toBeGreaterThan(1)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async cuts => {
        const input = await openInput(cut(bytes, cuts), { name: 'a' })
        expect(await format.read(input, { skipBadRows: true })).toEqual(whole)
      }),
    )
  })

  it('reads the same data set byte by byte, and stops at the signal', async () => {
    const everywhere = [...bytes.keys()]
    const whole = await format.read(await openInput(bytes, { name: 'a' }), { skipBadRows: true })
    const single = await openInput(cut(bytes, everywhere), { name: 'a' })
    expect(await format.read(single, { skipBadRows: true })).toEqual(whole)
    const stopped = await openInput(cut(bytes, everywhere), { name: 'a' })
    await expect(format.read(stopped, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
