import { describe, expect, it } from 'vitest'
import { textPlot } from './text-plot.ts'

const x = { label: 'recall' }
const y = { label: 'µs', scale: 'log' } as const

describe('textPlot', () => {
  it('draws points between two axes', () => {
    const series = [
      {
        name: 'a',
        points: [
          [0.8, 1],
          [0.9, 10],
          [1, 100],
        ] as const,
      },
    ]
    expect(textPlot({ x, y, series }, { width: 21, height: 5 })).toMatchInlineSnapshot(`
      "µs
      100 ┤                    ●
       50 ┤
       10 ┤          ●
        5 ┤
        1 ┤●
          └┬─────────┬─────────┬
           0.8      0.9        1
                  recall
      "
    `)
  })

  it('tells series apart by their signs', () => {
    const series = [
      { name: 'forest', points: [[0.5, 20]] as const },
      { name: 'exact', points: [[1, 2000]] as const },
    ]
    expect(textPlot({ title: 'Fashion', x, y, series }, { width: 24, height: 4 })).toMatchInlineSnapshot(`
      "Fashion
      µs
      2,000 ┤                       ○
        500 ┤
        100 ┤
         20 ┤●
            └┬──────────────────────┬
             0.5                    1
                      recall
             ● forest
             ○ exact
      "
    `)
  })
})
