// What an agent recalls from many short notes: the right ones, few, and nothing if nothing is related.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Service } from '../service/service.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { type Call, connected } from './mcp-client.cases.ts'

const notes = [
  'The user prefers dark mode in the editor',
  'User prefers dark mode in the editor.',
  'Anna is allergic to peanuts',
  'The production database is PostgreSQL 15 on db1',
  'The staging database is PostgreSQL 14 on db2',
  'Use tabs, not spaces, in this repository',
  'Do not use spaces',
  'Do use spaces',
  'Anna asuu Helsingissä ja työskentelee kirjastossa',
  '用户喜欢喝绿茶',
  'Bob likes green tea',
]

/** 500 short notes, most of them alike. */
function manyNotes(): string[] {
  const [things, needs] = [
    ['server', 'printer', 'parser', 'bus', 'garden'],
    ['needs', 'lost', 'got', 'has'],
  ]
  const made = Array.from({ length: 500 - notes.length }, (_, i) => {
    return `The ${things[i % 5]} ${needs[Math.floor(i / 5) % 4]} a cover in color ${Math.floor(i / 20)}`
  })
  return [...notes, ...made]
}

const german = [
  'Der Server steht im Keller und die Platte ist voll',
  'Hans trinkt den Kaffee ohne Zucker',
  'Die Sitzung ist am Dienstag um zehn',
  'Der Drucker geht nicht, weil die Farbe leer ist',
  'Die Sicherung läuft in der Nacht um zwei',
  'Der Schlüssel liegt in der Schublade',
]

describe('recall in German', () => {
  it.each([
    ['Server steht', german[0]],
    ['Sicherung läuft', german[4]],
    ['Schlüssel', german[5]],
  ])('finds one memory by the words that matter: %s', async (query, text) => {
    await withNotes(async recall => expect(await recall(query)).toMatchObject([{ text }]), german)
  })

  it('finds nothing for words that no memory has', async () => {
    await withNotes(async recall => expect(await recall('Größe Mond')).toEqual([]), german)
  })

  it('finds the right one, and no other, for a whole question', async () => {
    await withNotes(async recall => {
      const found = await recall('wann läuft die Sicherung?')
      expect(found).toMatchObject([{ text: german[4] }])
      expect(found[0]?.score).toBeGreaterThan(0.5)
    }, german)
  })
})

/** In each language: what one note says, a question about it, a question about nothing here, and what other notes are like. */
const byLanguage = {
  Finnish: [
    'Testit kaatuvat, jos aikavyöhyke ei ole UTC',
    'Miksi testit kaatuvat?',
    'Mikä on Mongolian pääkaupunki?',
    'Tulostin on nyt huoneessa, ja se mikä oli rikki on pois',
  ],
  French: [
    "L'utilisateur préfère le mode sombre",
    "Quel mode est-ce que l'utilisateur préfère ?",
    'Quelle est la capitale de la Mongolie ?',
    "La lampe de l'atelier est dans le tiroir de la cuisine",
  ],
  Spanish: [
    'El servidor de pruebas se reinicia con make',
    '¿Cómo se reinicia el servidor de pruebas?',
    '¿Cuál es la capital de Mongolia?',
    'La llave de la sala es de Pérez y está en el cajón de la mesa',
  ],
  Russian: [
    'У Анны аллергия на арахис',
    'На что у Анны аллергия?',
    'Как испечь хлеб на закваске?',
    'На встрече мы говорили о том, как у нас лежит на столе договор',
  ],
} as const

describe.each(Object.entries(byLanguage))('recall in %s', (_, [note, question, unrelated, other]) => {
  const notes = [note, ...Array.from({ length: 49 }, (_, i) => `${other} ${i}`)]

  it('finds the right note, and no other, for a whole question', async () => {
    await withNotes(async recall => expect(await recall(question)).toMatchObject([{ text: note }]), notes)
  })

  it('finds nothing for a question that shares only articles and question words with the notes', async () => {
    await withNotes(async recall => expect(await recall(unrelated)).toEqual([]), notes)
  })
})

describe('recall of a long note', () => {
  it('does not cut an emoji in two', async () => {
    const text = `${'x'.repeat(64)} ${'🎉'.repeat(400)}`
    await withNotes(
      async recall => {
        const [found] = await recall('x'.repeat(64))
        expect(found?.text).toMatch(/🎉…$/u)
      },
      [text],
    )
  })
})

describe('recall among 500 notes', () => {
  it.each([
    ['which editor mode does the user prefer?', 'User prefers dark mode in the editor.'],
    ['what is Anna allergic to?', 'Anna is allergic to peanuts'],
    ['which database do we use in production?', 'The production database is PostgreSQL 15 on db1'],
    ['missä Anna asuu?', 'Anna asuu Helsingissä ja työskentelee kirjastossa'],
    ['用户喜欢什么茶', '用户喜欢喝绿茶'],
    ['the printer got a cover in color 7', 'The printer got a cover in color 7'],
  ])('finds the best memory for "%s", and few others', async (query, text) => {
    await withNotes(async recall => {
      const found = await recall(query)
      expect(found[0]).toMatchObject({ text })
      expect(found.length).toBeLessThanOrEqual(5)
    })
  })

  it.each([
    'how do I bake sourdough bread?',
    'what is the weather on the moon?',
    'Wie spät ist es?',
    '天气怎么样',
    'zebra',
  ])('finds nothing for "%s", also after a hundred good rewards', async query => {
    await withNotes(async (recall, call) => {
      expect(await recall(query)).toEqual([])
      const [tea] = await recall('green tea')
      for (let i = 0; i < 100; i++) await call('reward', { id: tea?.id, query: 'green tea', reward: 1 })
      expect(await recall(query)).toEqual([])
      expect(await recall('green tea')).toMatchObject([{ text: 'Bob likes green tea' }])
    })
  })

  it('leaves out what says the same, but not the opposite', async () => {
    await withNotes(async recall => {
      const texts = async (query: string) => (await recall(query)).map(({ text }) => text)
      expect(await texts('dark mode')).toHaveLength(1)
      expect(await texts('spaces')).toEqual(expect.arrayContaining(['Do not use spaces', 'Do use spaces']))
    })
  })
})

interface Recalled {
  readonly id: number
  readonly text: string
  readonly score: number
}

/** A new store with the notes. */
async function withNotes(
  use: (recall: (query: string) => Promise<Recalled[]>, call: Call) => Promise<void>,
  texts = manyNotes(),
) {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-notes-'))
  const store = await MemoryStore.create(join(folder, 'notes'))
  await store.insertMany(texts.map(key => ({ key, value: null })))
  await store.close()
  const own = await Service.open([join(folder, 'notes')])
  try {
    await connected(own, {}, call => use(async query => (await call('recall', { query })).answer.memories, call))
  } finally {
    await own.close()
    await rm(folder, { recursive: true })
  }
}
