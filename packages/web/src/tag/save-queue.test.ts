import { expect, it } from 'vitest'
import { itemOf, numbersOf } from './item.ts'
import { labeledCsv, labeledRow } from './save-queue.ts'

const cells = { id: 7, title: 'Ships', tags: ['x'] }
const row = { cells, text: 'Ships, edited', labels: [{ label: 'u:1', score: 0.5 }] }

it('a row of the queue is saved as it came, with its text as edited and its labels', () => {
  expect(labeledRow(row, 'title', new Map())).toEqual({
    ...{ id: 7, title: 'Ships, edited', tags: ['x'], labels: ['u:1'], label_source: 'suggested' },
  })
  expect(labeledRow(row, 'title', new Map(), new Set(['u:1']))).toMatchObject({
    ...{ labels: [], label_source: 'suggested' },
  })
  const decided = labeledRow(row, 'title', new Map([['Ships, edited', ['u:2', 'new']]]))
  expect(decided).toMatchObject({ labels: ['u:2', 'new'], label_source: 'decided' })
  expect(labeledCsv([decided])).toBe('id,title,tags,labels,label_source\r\n7,"Ships, edited",x,u:2; new,decided\r\n')
})

it('what is typed is a text, or the numbers in it', () => {
  expect(itemOf(' ', true)).toBeUndefined()
  expect(itemOf('a b', true)).toEqual({ text: 'a b' })
  expect(itemOf('[1, 2.5; -3e2]', false)).toEqual({ vector: [1, 2.5, -300] })
  expect(numbersOf('1, two')).toBeUndefined()
})
