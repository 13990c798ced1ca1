import { expect, it } from 'vitest'
import { fieldsOf, filterOf, typedValue } from './conditions.ts'

it('conditions on one field are joined', () => {
  expect(filterOf([])).toBeUndefined()
  expect(
    filterOf([
      { field: 'lang', comparison: 'is', value: 'fi' },
      { field: 'lang', comparison: 'is', value: 'sv' },
      { field: 'year', comparison: 'from', value: 1990 },
      { field: 'year', comparison: 'to', value: 2000 },
      { field: 'kind', comparison: 'not', value: 'map' },
    ]),
  ).toEqual({ lang: { in: ['fi', 'sv'] }, year: { gte: 1990, lte: 2000 }, kind: { notIn: ['map'] } })
})

it('fields are those that documents have, with the type of their values', () => {
  const [tags, year, ok] = fieldsOf([
    { id: 1, metadata: { tags: ['b', 'a'], year: 1990, ok: true } },
    { id: 2, metadata: { tags: 'c', year: 2000, other: { deep: 1 } } },
    { id: 3 },
  ])
  expect(tags).toEqual({ name: 'tags', isNumber: false, values: ['a', 'b', 'c'] })
  expect(typedValue('1995', year!)).toBe(1995)
  expect(typedValue('true', ok!)).toBe(true)
  expect(typedValue('true', tags!)).toBe('true')
})
