import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { NeighborLists } from '../../../forest/label-source.ts'
import { Engine } from '../../../kernels/engine.ts'
import { begun, finish } from '../../../long-work.ts'
import { DenseMatrix } from '../../../matrix/dense-matrix.ts'
import { denseRowsFrom } from '../../dense/dense-rows.ts'
import { clustered } from '../../index-oracle.cases.ts'
import { exactLists } from '../neighbor-lists.ts'
import { forestSettings } from '../options.ts'
import { sketchRows } from '../training-rows.ts'
import { type Linked, linkNewest, linkRows } from './link-rows.ts'
import { LinkMender, mendedLinks } from './mend-links.ts'
import { RowLinks } from './row-links.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const freeNow = (slice: { free(): void }) => slice.free()

interface Made {
  readonly searched: Linked
  readonly links: RowLinks
  readonly lists: NeighborLists
  /** Squared distance of two rows' codes. */
  apart(a: number, b: number): number
}

interface Wish {
  readonly k?: number
  readonly width?: number
  readonly hidden?: Uint32Array
  readonly threads?: number
}

async function withLinks(
  matrix: DenseMatrix,
  { k = 12, width = 6, hidden, threads = 1 }: Wish,
  use: (made: Made) => void,
): Promise<void> {
  const scope = engine.arena.scope()
  const rows = denseRowsFrom(engine, 'euclidean', matrix)
  const build = { settings: forestSettings({}), neighborLists: 'exact', threads, discard: freeNow } as const
  const { sketch, codes } = await sketchRows(engine, scope, rows, build)
  const lists = await exactLists(engine, rows, rows, k, {})
  const searched = { rows, sketch, codes }
  const links = new RowLinks(engine, width, await linkRows(engine, { searched, lists, width, hidden, threads }))
  const apart = (a: number, b: number) => codes.row(a).reduce((sum, x, j) => sum + (x - codes.row(b)[j]) ** 2, 0)
  try {
    use({ searched, links, lists, apart })
  } finally {
    for (const part of [scope, rows, sketch, codes, links]) part.free()
  }
}

/** The textbook version of assembly/forest/links.ts. */
function pruned(row: number, candidates: readonly number[], width: number, apart: Made['apart']): number[] {
  const sorted = [...candidates].sort(
    (a, b) => apart(row, a) - apart(row, b) || candidates.indexOf(a) - candidates.indexOf(b),
  )
  const kept: number[] = []
  for (const candidate of sorted) {
    const isLedTo = kept.some(link => Math.fround(1.3) * apart(link, candidate) < apart(row, candidate))
    if (!isLedTo && kept.length < width) kept.push(candidate)
  }
  return kept
}

/** Links in both directions, the textbook way. */
function linkedBothWays({ lists, apart }: Made, width: number, hidden = new Set<number>()): number[][] {
  const own = Array.from(lists.counts, (count, row) => {
    const near = [...lists.rows.subarray(row * lists.k, row * lists.k + count)]
    const candidates = hidden.has(row) ? [] : near.filter(one => one !== row && !hidden.has(one))
    return pruned(row, candidates, width, apart)
  })
  return own.map((mine, row) => {
    const others = own.flatMap((theirs, other) => (theirs.includes(row) && !mine.includes(other) ? [other] : []))
    const all = [...mine, ...others]
    return all.length > width ? pruned(row, all, width, apart) : all
  })
}

const all = (links: RowLinks) => Array.from({ length: links.rows }, (_, row) => [...links.row(row)])

describe('linkRows', () => {
  it('links each row with near rows that no nearer link leads to, in both directions', async () => {
    await withLinks(clustered(4, 300), {}, made => {
      expect(all(made.links)).toEqual(linkedBothWays(made, 6))
    })
  })

  it('leaves hidden rows out', async () => {
    const hidden = Uint32Array.from({ length: 30 }, (_, i) => 7 * i)
    await withLinks(clustered(4, 300), { hidden }, made => {
      expect(all(made.links)).toEqual(linkedBothWays(made, 6, new Set(hidden)))
      for (const row of hidden) expect(made.links.row(row)).toHaveLength(0)
    })
  })

  it('gives the same links on one thread and on two', async () => {
    const found: number[][][] = []
    for (const threads of [1, 2]) {
      await withLinks(clustered(5, 700), { threads }, ({ links }) => {
        found.push(all(links))
      })
    }
    expect(found[0]).toEqual(found[1])
  })

  it('links copies of a row with each other', async () => {
    const copies = DenseMatrix.from(Array.from({ length: 9 }, () => [1, 2]))
    await withLinks(copies, { k: 9, width: 4 }, ({ links }) => {
      for (const own of all(links)) expect(own.length).toBeGreaterThan(0)
    })
  })
})

describe('linkNewest', () => {
  it('links a row with the nearest of some, and these with it', async () => {
    const [before, width] = [120, 6]
    await withLinks(
      clustered(6, before + 1),
      { hidden: Uint32Array.of(before), width },
      ({ searched, links, apart }) => {
        const old = all(links).slice(0, before)
        const shorter = new RowLinks(engine, width, engine.arena.place(links.slice.array.slice(0, before * width)))
        const near = Array.from({ length: before }, (_, row) => row)
          .sort((a, b) => apart(before, a) - apart(before, b))
          .slice(0, 20)
        linkNewest(engine, searched, shorter, Uint32Array.from(near))
        const own = pruned(before, near, width, apart)
        expect([...shorter.row(before)]).toEqual(own)
        for (const [row, links] of old.entries()) {
          const grown = own.includes(row) ? [...links, before] : links
          const expected = grown.length > width ? pruned(row, grown, width, apart) : grown
          expect([...shorter.row(row)]).toEqual(expected)
        }
        shorter.free()
      },
    )
  })
})

describe('links around rows that are gone', () => {
  const gone = new Set(Array.from({ length: 67 }, (_, i) => 3 * i))

  /** The textbook way. */
  function mended(old: readonly number[][], apart: Made['apart']): number[][] {
    return old.map((own, row) => {
      if (gone.has(row)) return []
      const candidates = new Set<number>()
      for (const linked of own) {
        for (const one of gone.has(linked) ? [linked, ...old[linked]] : [linked]) {
          if (one !== row && !gone.has(one)) candidates.add(one)
        }
      }
      return candidates.size > 6 ? pruned(row, [...candidates], 6, apart) : [...candidates]
    })
  }

  it('are made in steps, of the links as they were at the first one', async () => {
    await withLinks(clustered(6, 201), {}, ({ searched, links, apart }) => {
      const old = all(links)
      const release = engine.readers.hold()
      const steps = begun(mendedLinks(engine, searched, links, gone))
      links.clear([1, 2, 4])
      links.replace(engine.arena.place(finish(steps)))
      release()
      expect(all(links)).toEqual(mended(old, apart))
    })
  })

  it('are made a few at every change, once there are enough of them', async () => {
    await withLinks(clustered(6, 201), {}, ({ searched, links, apart }) => {
      const [old, mender] = [all(links), new LinkMender(engine, links)]
      const changed: number[] = []
      const change = () => {
        const before = all(links)
        mender.mendSome(() => searched)
        changed.push(all(links).filter((own, row) => own.join() !== before[row]?.join()).length)
      }
      for (const row of gone) {
        mender.removed(row)
        if (mender.gone.length < 64) change()
      }
      expect([new Set(changed), mender.gone]).toEqual([new Set([0]), [...gone]])
      for (let i = 0; i < 7; i++) change()
      expect(all(links)).toEqual(mended(old, apart))
      expect(mender.gone).toEqual([])
      // Rows that are gone lose their links with the last change.
      expect(Math.max(...changed.slice(0, -1))).toBeLessThanOrEqual(32)
    })
  })
})

describe('RowLinks', () => {
  it('leaves what a batch reads as it was, and frees it afterwards', async () => {
    const links = new RowLinks(engine, 2, engine.arena.place(Uint32Array.of(1, 2, 2, 0xffffffff, 0, 1)))
    const { pointer } = links
    await engine.readers.read(async () => {
      links.extend()
      const first = links.pointer
      expect(first).not.toBe(pointer)
      // Once copied, it is written to where it is.
      links.extend()
      expect(links.rows).toBe(5)
    })
    expect(all(links)).toEqual([[1, 2], [2], [0, 1], [], []])
    links.select(Uint32Array.of(0, 2, 1), Uint32Array.of(0, 2, 1, 7, 7))
    expect(all(links)).toEqual([[2, 1], [0, 2], [1]])
    links.free()
  })
})
