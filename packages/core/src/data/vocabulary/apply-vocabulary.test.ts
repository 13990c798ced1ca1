import { describe, expect, it } from 'vitest'
import { readDataset } from '../read-dataset.ts'
import { vocabularyGaps } from './apply-vocabulary.ts'
import { Vocabulary } from './vocabulary.ts'

const vocabulary = Vocabulary.create([
  { id: 'u:1', names: { en: 'ships', fi: 'laivat' } },
  { id: 'u:2', names: { en: 'sea' } },
  { id: 'u:3', names: { en: 'old word' }, deprecated: true },
  { id: 'u:4', names: { en: 'tradition' } },
  { id: 'u:5', names: { en: 'tradition' } },
])
const jsonl = (...labels: unknown[][]) =>
  new TextEncoder().encode(labels.map((some, i) => `{"text":"row ${i}","labels":${JSON.stringify(some)}}\n`).join(''))
const rowsOf = async (labels: unknown[][], options = {}) => {
  const data = await readDataset(jsonl(...labels), { vocabulary, ...options })
  return {
    data,
    rows: Array.from({ length: data.rows }, (_, i) => [...data.labels!.row(i)].map(l => data.labelNames![l])),
  }
}

describe('labels of data with a vocabulary', () => {
  it('may be ids or names, which become ids, and one label then', async () => {
    const { rows, data } = await rowsOf([['u:1', 'sea'], ['ships', 'u:1'], ['laivat']])
    expect(rows).toEqual([['u:1', 'u:2'], ['u:1'], ['laivat']])
    expect(data.vocabulary?.nameOf('u:2')).toBe('sea')
    expect((await rowsOf([['laivat']], { language: 'fi' })).rows).toEqual([['u:1']])
  })

  it('stay if the vocabulary does not have them, and are told apart', async () => {
    const { data } = await rowsOf([['u:1', 'u:9', 'u:3']], { language: 'fi' })
    expect(data.labelNames).toEqual(['u:1', 'u:9', 'u:3'])
    expect(vocabularyGaps(data.labelNames!, data.vocabulary!)).toEqual({
      unknown: ['u:9'],
      deprecated: ['u:3'],
      unnamed: [],
    })
    expect(vocabularyGaps(['u:2'], vocabulary.in('fi')).unnamed).toEqual(['u:2'])
  })

  it('are dropped and listed if only those of the vocabulary are wanted', async () => {
    const { rows, data } = await rowsOf([['u:9'], ['u:3', 'u:2']], { onlyVocabulary: true })
    expect([rows, data.droppedLabels]).toEqual([
      [[], ['u:2']],
      ['u:9', 'u:3'],
    ])
  })

  it('refuse a name that several concepts have', async () => {
    await expect(rowsOf([['tradition']])).rejects.toThrow('"tradition" is the name of 2 concepts: u:4, u:5')
  })

  it('name the numbers of data without names', async () => {
    const names = Vocabulary.create(['cat', 'dog'].map((name, i) => ({ id: String(i), names: name })))
    const data = await readDataset(new TextEncoder().encode('1 3 2\n0,1 0:1\n'), { vocabulary: names })
    expect([data.labelNames, data.vocabulary?.nameOf('1')]).toEqual([undefined, 'dog'])
  })

  it('refuse a language without a vocabulary, and a vocabulary without labels', async () => {
    await expect(readDataset(jsonl(['a']), { language: 'fi' })).rejects.toThrow('you gave language, but no vocabulary')
    const bare = new TextEncoder().encode('{"text":"x"}\n')
    await expect(readDataset(bare, { vocabulary })).rejects.toThrow('you gave a vocabulary, but (memory) has no labels')
  })

  it('come with their names in the JSON of Annif, and are written so', async () => {
    const data = await readDataset(jsonl([{ uri: 'u:1', label: 'ships' }, { uri: 'u:2' }, { label: 'only a name' }]))
    expect([data.labelNames, data.vocabulary?.nameOf('u:1')]).toEqual([['u:1', 'u:2', 'only a name'], 'ships'])
  })
})
