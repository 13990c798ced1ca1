import { expect, it } from 'vitest'
import { placeBlock } from './blocks.ts'
import { Engine } from './engine.ts'
import { finderBlock } from './generated/blocks/sparse-search.ts'

const fields = { forest: 1, index: 2, trees: 3, probes: 4, threshold: 0.5, candidates: 6, wanted: 7, scales: 1 }

it('a block has its fields in the order of their class, floats as their bits', () => {
  const { arena } = new Engine()
  const placed = placeBlock(arena, finderBlock, fields)
  expect([...placed.array]).toEqual([1, 2, 3, 4, 0x3f000000, 6, 7, 1])
  placed.free()
})

it('a block without one of its fields, or with one that its class does not have, does not compile', () => {
  const { arena } = new Engine()
  const { scales, ...others } = fields
  // @ts-expect-error: scales is missing
  expect(placeBlock(arena, finderBlock, others).length).toBe(8)
  // @ts-expect-error: scale is not a field
  expect(placeBlock(arena, finderBlock, { ...others, scales, scale: 1 }).length).toBe(8)
})
