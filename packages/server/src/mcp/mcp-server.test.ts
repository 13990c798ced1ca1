// The official client calls every tool over HTTP; vicinal's command has the same test over stdio.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../http/app.ts'
import { type Files, makeFiles } from '../http/service.cases.ts'
import { Service } from '../service/service.ts'

let files: Files
let service: Service

beforeAll(async () => {
  files = await makeFiles()
  service = await Service.open(files.paths)
})

afterAll(async () => {
  await service.close()
  await files.remove()
})

interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what is in it
  readonly answer: any
}

/** Without a socket: the client's requests go straight to the app. */
async function connected<T>(
  options: Parameters<typeof createApp>[1],
  use: (call: (name: string, input: object) => Promise<Called>, client: Client) => Promise<T>,
): Promise<T> {
  const app = createApp(service, options)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: async (url, init) =>
        app.request(String(url), {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), host: 'localhost' },
        }),
    }),
  )
  try {
    return await use(async (name, input) => {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
      const [first] = content as { text: string }[]
      const text = first?.text ?? ''
      return { isError, text, answer: isError ? {} : JSON.parse(text) }
    }, client)
  } finally {
    await client.close()
  }
}

describe('the MCP server', () => {
  it('lists the tools for what is served', async () => {
    await connected({}, async (_, client) => {
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
    await connected({}, async call => {
      const { answer } = await call('remember', {
        text: 'the tests need a red lamp',
        value: { see: 'lab' },
        namespace: 'mcp',
      })
      await call('remember', { text: 'the tests need a red lamp', value: { see: 'lab' }, namespace: 'mcp' })
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

  it('suggests labels, explains one, and searches documents', async () => {
    await connected({}, async call => {
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
    await connected({ namespace: 'anna' }, async (call, client) => {
      await call('remember', { text: 'the door of Anna is blue' })
      expect((await call('recall', { query: 'deploy failed' })).answer.memories).toEqual([])
      const refused = await call('forget', { id: 'disk' })
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('no memory "disk" here') })
      const { tools } = await client.listTools()
      expect(JSON.stringify(tools.find(({ name }) => name === 'recall')?.inputSchema)).not.toContain('namespace')
    })
  })

  it('tells the model what is valid', async () => {
    await connected({}, async call => {
      expect(await call('forget', { id: 'nothing' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('no memory'),
      })
      expect((await call('explain_label', { text: 'old ships', label: 'shipss' })).text).toMatch(/ships/)
    })
  })
})
