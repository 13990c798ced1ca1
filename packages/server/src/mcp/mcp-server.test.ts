// The official client calls every tool over HTTP; vicinal's command has the same test over stdio.

import { describe, expect, it } from 'vitest'
import { TestService } from '../http/service.cases.ts'
import { connected } from './mcp-client.cases.ts'

const served = new TestService()

describe('the MCP server', () => {
  it('lists the tools for what is served', async () => {
    await connected(served.service, {}, async (_, client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        ...['remember', 'recall', 'reward', 'forget', 'list_memories', 'suggest_labels', 'explain_label', 'search'],
      ])
      expect(tools.every(({ description = '' }) => description.length > 10)).toBe(true)
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toContain('vicinal://memories/diary')
      const { contents } = await client.readResource({ uri: 'vicinal://memories/diary' })
      expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ kind: 'memory', name: 'diary' })
    })
  })

  it('remembers, recalls, learns from rewards and forgets', async () => {
    await connected(served.service, {}, async call => {
      const { answer } = await call('remember', {
        text: 'the tests need a red lamp',
        value: { see: 'lab' },
        namespace: 'mcp',
      })
      await call('remember', { text: 'the tests need a red lamp', value: { see: 'lab' }, namespace: 'mcp' })
      for (const query of ['', '?'])
        expect((await call('recall', { query, namespace: 'mcp' })).answer.memories).toEqual([])
      const recalled = await call('recall', { query: 'which lamp do the tests need?', namespace: 'mcp' })
      expect(recalled.answer.memories).toHaveLength(1) // the second says the same
      expect(recalled.answer.memories[0]).toMatchObject({ text: 'the tests need a red lamp', value: { see: 'lab' } })
      const { id } = recalled.answer.memories[0]
      expect(
        (await call('reward', { id, query: 'which lamp do the tests need?', reward: 1, namespace: 'mcp' })).isError,
      ).toBe(false)
      const listed = await call('list_memories', { namespace: 'mcp' })
      expect(listed.answer).toMatchObject({ count: 2 })
      expect((await call('forget', { id, namespace: 'mcp' })).isError).toBe(false)
      expect((await call('list_memories', { namespace: 'mcp' })).answer).toMatchObject({ count: 1 })
      expect(answer.id).toBeDefined()
    })
  })

  it('lists memories without a namespace if none is given, and not those of others', async () => {
    await connected(served.service, {}, async call => {
      const { answer } = await call('remember', { text: 'a secret of Anna', namespace: 'anna' })
      const listed = (await call('list_memories', { limit: 50 })).answer
      expect(listed.memories.filter((one: object) => 'namespace' in one)).toEqual([])
      expect(listed.count).toBe(listed.memories.length)
      await call('forget', { id: answer.id, namespace: 'anna' })
    })
  })

  it('suggests labels, explains one, and searches documents', async () => {
    await connected(served.service, {}, async call => {
      expect((await call('suggest_labels', { text: 'old ships', top: 1 })).answer.labels).toMatchObject([
        { label: 'ships' },
      ])
      expect((await call('explain_label', { text: 'old ships' })).answer).toMatchObject({
        label: 'ships',
        words: [{ word: 'ships' }],
      })
      expect((await call('search', { text: 'ferry', k: 1 })).answer.documents).toMatchObject([{ id: 'n1' }])
    })
  })

  it('keeps an agent within its namespace', async () => {
    await connected(served.service, { namespace: 'anna' }, async (call, client) => {
      await call('remember', { text: 'the door of Anna is blue' })
      expect((await call('recall', { query: 'deploy failed' })).answer.memories).toEqual([])
      const refused = await call('forget', { id: 'disk' })
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no memory "disk" here') })
      const { tools } = await client.listTools()
      expect(JSON.stringify(tools.find(({ name }) => name === 'recall')?.inputSchema)).not.toContain('namespace')
    })
  })

  it('has these tools, word for word', async () => {
    await connected(served.service, {}, async (_, client) => {
      const { tools } = await client.listTools()
      expect(
        tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ).toMatchInlineSnapshot(`
        [
          {
            "description": "Store a fact, an event or something learned, to recall it later by its words. Returns its id.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "namespace": {
                  "description": "Whose memories: a user or a project. Default: memories without a namespace.",
                  "minLength": 1,
                  "type": "string",
                },
                "text": {
                  "description": "What to remember, in a sentence or two.",
                  "minLength": 1,
                  "type": "string",
                },
                "value": {
                  "description": "Anything to keep with it, such as a fix or a link.",
                },
              },
              "required": [
                "text",
              ],
              "type": "object",
            },
            "name": "remember",
          },
          {
            "description": "Find the few stored memories that help most with a question, best first; none if nothing is related. Memories are found by the words they share with the query, so use the words that the memory would have. Whole questions do in English, Finnish, French, German, Russian and Spanish; in other languages give only the words that matter, without articles and question words. score is the expected reward, from 0 to 1: above 0.5 a memory is about the same thing, below 0.2 it only shares a word. Reward what helped.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "k": {
                  "default": 5,
                  "description": "How many at most.",
                  "maximum": 20,
                  "minimum": 1,
                  "type": "integer",
                },
                "minScore": {
                  "default": 0.1,
                  "description": "Only memories with this score or more.",
                  "maximum": 1,
                  "minimum": 0,
                  "type": "number",
                },
                "namespace": {
                  "description": "Whose memories: a user or a project. Default: memories without a namespace.",
                  "minLength": 1,
                  "type": "string",
                },
                "query": {
                  "description": "A question or a few words.",
                  "type": "string",
                },
              },
              "required": [
                "query",
              ],
              "type": "object",
            },
            "name": "recall",
          },
          {
            "description": "Say how much a recalled memory helped with the query: 1 solved it, 0 was useless. Later recalls learn from it.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "id": {
                  "description": "The id of a memory, from remember, recall or list_memories.",
                  "type": [
                    "string",
                    "number",
                  ],
                },
                "namespace": {
                  "description": "Whose memories: a user or a project. Default: memories without a namespace.",
                  "minLength": 1,
                  "type": "string",
                },
                "query": {
                  "description": "The query that recalled it.",
                  "minLength": 1,
                  "type": "string",
                },
                "reward": {
                  "maximum": 1,
                  "minimum": 0,
                  "type": "number",
                },
              },
              "required": [
                "id",
                "query",
                "reward",
              ],
              "type": "object",
            },
            "name": "reward",
          },
          {
            "description": "Remove a memory for good.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "id": {
                  "description": "The id of a memory, from remember, recall or list_memories.",
                  "type": [
                    "string",
                    "number",
                  ],
                },
                "namespace": {
                  "description": "Whose memories: a user or a project. Default: memories without a namespace.",
                  "minLength": 1,
                  "type": "string",
                },
              },
              "required": [
                "id",
              ],
              "type": "object",
            },
            "name": "forget",
          },
          {
            "description": "List memories page by page, newest first, to look through them or clean up.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "limit": {
                  "default": 20,
                  "maximum": 50,
                  "minimum": 1,
                  "type": "integer",
                },
                "namespace": {
                  "description": "Whose memories: a user or a project. Default: memories without a namespace.",
                  "minLength": 1,
                  "type": "string",
                },
                "offset": {
                  "default": 0,
                  "maximum": 9007199254740991,
                  "minimum": 0,
                  "type": "integer",
                },
                "order": {
                  "default": "newest",
                  "enum": [
                    "newest",
                    "oldest",
                    "reward",
                  ],
                  "type": "string",
                },
              },
              "type": "object",
            },
            "name": "list_memories",
          },
          {
            "description": "Suggest labels (subjects, tags) for a text, best first, from the vocabulary that the model was trained on.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "text": {
                  "minLength": 1,
                  "type": "string",
                },
                "top": {
                  "default": 5,
                  "maximum": 50,
                  "minimum": 1,
                  "type": "integer",
                },
              },
              "required": [
                "text",
              ],
              "type": "object",
            },
            "name": "suggest_labels",
          },
          {
            "description": "Why a text gets a label: the most similar training texts with that label, and the words that support it.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "label": {
                  "description": "Default: the best label.",
                  "type": "string",
                },
                "text": {
                  "minLength": 1,
                  "type": "string",
                },
              },
              "required": [
                "text",
              ],
              "type": "object",
            },
            "name": "explain_label",
          },
          {
            "description": "Find stored documents by words, best first.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "additionalProperties": false,
              "properties": {
                "filter": {
                  "additionalProperties": {},
                  "description": "Conditions on metadata, such as { "year": { "gte": 1990 } }.",
                  "propertyNames": {
                    "type": "string",
                  },
                  "type": "object",
                },
                "k": {
                  "default": 5,
                  "maximum": 20,
                  "minimum": 1,
                  "type": "integer",
                },
                "text": {
                  "minLength": 1,
                  "type": "string",
                },
              },
              "required": [
                "text",
              ],
              "type": "object",
            },
            "name": "search",
          },
        ]
      `)
    })
  })

  it.each<[tool: string, input: object, says: string]>([
    ['remember', {}, 'text: Invalid input: expected string'],
    ['remember', { text: '' }, 'text: Too small'],
    ['remember', { text: 'x', tags: ['a'] }, 'Unrecognized key: "tags"'],
    ['recall', { q: 'x' }, 'query: Invalid input: expected string'],
    ['recall', { query: 'x', k: 100 }, 'k: Too big: expected number to be <=20'],
    ['recall', { query: 'x', limit: 3 }, 'Unrecognized key: "limit"'],
    ['reward', { id: 'disk', query: 'x', reward: 5 }, 'reward: Too big: expected number to be <=1'],
    ['reward', { id: 'disk', reward: 1 }, 'query: Invalid input: expected string'],
    ['reward', { id: 'nothing', query: 'x', reward: 1 }, 'Use an id that recall or list_memories returned'],
    ['forget', {}, 'id: expected the id of a memory'],
    ['forget', { id: 'nothing' }, 'Use an id that recall or list_memories returned'],
    ['list_memories', { order: 'best' }, 'expected one of "newest"|"oldest"|"reward"'],
    ['suggest_labels', { text: 'x', top: 0 }, 'top: Too small: expected number to be >=1'],
    ['explain_label', { text: 'old ships', label: 'shipss' }, 'ships'],
    ['search', { text: 'ferry', filter: { year: { above: 1 } } }, 'gte'],
    ['search', { query: 'ferry' }, 'text: Invalid input: expected string'],
  ])('%s with %j says what is valid', async (tool, input, says) => {
    await connected(served.service, {}, async call => {
      expect(await call(tool, input)).toMatchObject({ isError: true, text: expect.stringContaining(says) })
    })
  })

  it('tells the model what is valid', async () => {
    await connected(served.service, {}, async call => {
      expect(await call('forget', { id: 'nothing' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('no memory'),
      })
      expect((await call('explain_label', { text: 'old ships', label: 'shipss' })).text).toMatch(/ships/)
    })
  })
})
