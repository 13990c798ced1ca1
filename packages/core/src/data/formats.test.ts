import { describe, expect, it } from 'vitest'
import type { Format } from './format.ts'
import { detectFormat, findFormat, formatNames, formatsByExtension, registerFormat } from './formats.ts'
import { xmc } from './sparse/xmc.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

describe('the registry of formats', () => {
  it('has no name twice', () => {
    expect(new Set(formatNames()).size).toBe(formatNames().length)
  })

  it('finds formats by name and by extension', () => {
    expect(findFormat('xmc')).toBe(xmc)
    expect(() => findFormat('xlsx')).toThrow(/unknown format "xlsx", expected one of .*svmlight/)
    expect(formatsByExtension('/a.b/c.XMC.gz')).toEqual([xmc])
    expect(formatsByExtension('https://x.org/c.xmc?v=1.txt')).toEqual([xmc])
    expect(formatsByExtension('/a.xmc/c')).toEqual([])
  })

  it('lets contents decide where an extension is shared', () => {
    expect(detectFormat('a.txt', bytesOf('1 2 3\n0 1:1\n')).name).toBe('xmc')
    expect(detectFormat('a.txt', bytesOf('1 2:3\n0 1:1\n')).name).toBe('svmlight')
  })

  it('takes new formats, but none twice', () => {
    const mine: Format = {
      name: 'mine',
      title: 'a format of the test',
      extensions: ['mine'],
      recognize: head => head[0] === 1,
      read: async input => ({ name: input.name, rows: 0 }),
    }
    registerFormat(mine)
    expect(detectFormat('a.mine', bytesOf('')).name).toBe('mine')
    expect(detectFormat('a', Uint8Array.of(1)).name).toBe('mine')
    expect(() => registerFormat(mine)).toThrow('there is already a format called mine')
  })
})
