import { describe, expect, it } from 'vitest'
import { breadAndShips, fullTree, leaf, split } from './tree.cases.ts'
import { treeText } from './tree-text.ts'

describe('treeText', () => {
  it('shows splits with their features and leaves with their labels', () => {
    expect(treeText(breadAndShips)).toMatchInlineSnapshot(`
      "1,207 rows  ← baking  bread | ships →
      ├ below 0.25: 4 rows  cooking (4)
      └ at least 0.25: 1,203 rows  ← sea
        ├ below -0.5: 1,200 rows  baltic (1,200), birds (2)
        └ at least -0.5: 3 rows  shipping (3), harbors (2), fish (1)
      "
    `)
  })

  it('sums up what is below the last level', () => {
    expect(treeText(breadAndShips, { mostLevels: 2 })).toMatchInlineSnapshot(`
      "1,207 rows  ← baking  bread | ships →
      ├ below 0.25: 4 rows  cooking (4)
      └ at least 0.25: … 2 leaves, 1,203 rows  baltic (1,200), birds (2)
      "
    `)
  })

  it('shows four levels where nobody says how many', () => {
    expect(treeText(fullTree(4))).not.toContain('…')
    expect(treeText(fullTree(6)).match(/… 4 leaves, 4 rows/g)).toHaveLength(8)
  })

  it('shows a tree that is one leaf', () => {
    expect(treeText(leaf(['a', 1]))).toBe('1 row  a (1)\n')
    expect(treeText({ rows: 0, labels: [] }, { mostLevels: 1 })).toBe('0 rows\n')
  })

  it('names three labels and counts the others', () => {
    expect(treeText(leaf(['a', 4], ['b', 3], ['c', 2], ['d', 1]))).toBe('4 rows  a (4), b (3), c (2), 1 more label\n')
  })

  it('leaves out features that decide nothing', () => {
    const [line] = treeText(split({ x: -1, y: 0 }, 1, leaf(['a', 1]), leaf(['b', 1]))).split('\n')
    expect(line).toBe('2 rows  ← x')
  })

  it('shortens long names and keeps the codes of terminals out', () => {
    expect(treeText(leaf(['a name of many letters', 1], ['\u001b[31mred\nline', 1]))).toBe(
      '1 row  a name of many lett… (1), \ufffd[31mred line (1)\n',
    )
  })

  it('writes thresholds of any size in three digits', () => {
    const [, below, atLeast] = treeText(split({ x: 1 }, 1.23456e-9, leaf(['a', 1]), leaf(['b', 1]))).split('\n')
    expect([below, atLeast]).toEqual(['├ below 1.23e-9: 1 row  a (1)', '└ at least 1.23e-9: 1 row  b (1)'])
  })

  it('counts the leaves of a part that is very deep', () => {
    let deep = leaf(['a', 1])
    for (let level = 0; level < 50_000; level++) deep = split({ x: 1 }, 0, deep, leaf(['b', 1]))
    expect(treeText(deep, { mostLevels: 1 })).toBe('… 50,001 leaves, 50,001 rows  a (1)\n')
  })

  it.each([0, 1.5, Number.NaN])('refuses %d levels', mostLevels => {
    expect(() => treeText(fullTree(2), { mostLevels })).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: `mostLevels is ${mostLevels}, expected a whole number of at least 1`,
      }),
    )
  })
})
