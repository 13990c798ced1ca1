import { describe, expect, it } from 'vitest'
import { labelColumn, labelsOf, readTable, textColumn } from './read-table.ts'

const file = (name: string, text: string) => new File([text], name)

describe('a file that is dropped on the page', () => {
  it('may be CSV with names of columns', async () => {
    const table = await readTable(file('a.csv', 'id,title,subject\n1,Ships,sailing; sea\n'))
    expect(table.rows).toEqual([{ id: '1', title: 'Ships', subject: 'sailing; sea' }])
    expect(textColumn(table)).toBe('title')
    expect(labelColumn(table)).toBe('subject')
  })

  it('may be TSV without names: a text and its labels', async () => {
    const table = await readTable(file('a.tsv', 'Ships\thttp://a/1 http://a/2\nBirds\thttp://a/3\n'))
    expect(table.columns).toEqual(['text', 'labels'])
    expect(table.rows.map(row => labelsOf(row.labels))).toEqual([['http://a/1', 'http://a/2'], ['http://a/3']])
  })

  it('may be lines of JSON, a list, or plain lines', async () => {
    expect((await readTable(file('a.jsonl', '{"text":"a"}\n\n{"text":"b"}\n'))).rows).toHaveLength(2)
    expect((await readTable(file('a.json', '["a", {"text": "b"}]'))).rows).toEqual([{ text: 'a' }, { text: 'b' }])
    expect((await readTable(file('a.txt', 'one, two\nthree\n'))).rows).toEqual([
      { text: 'one, two' },
      { text: 'three' },
    ])
  })

  it.each([
    ['a.csv', '', 'a.csv is empty'],
    ['a.jsonl', '{"text":"a"}\n{"text":', 'line 2 is not JSON'],
    ['a.json', '[1]', 'row 1 is neither an object nor a text'],
    ['a.csv', 'text,labels\n', 'a.csv has no rows'],
  ])('is refused if it is broken: %s %j', async (name, text, message) => {
    await expect(readTable(file(name, text))).rejects.toThrow(message)
  })

  it('may have labels as lists, objects or texts', () => {
    expect(labelsOf(['a', { uri: 'b' }])).toEqual(['a', 'b'])
    expect(labelsOf('a, b')).toEqual(['a', 'b'])
    expect(labelsOf('one label; another, with a comma')).toEqual(['one label', 'another, with a comma'])
    expect(labelsOf('<http://a/1> <http://a/2>')).toEqual(['http://a/1', 'http://a/2'])
    expect(labelsOf(undefined)).toEqual([])
  })
})
