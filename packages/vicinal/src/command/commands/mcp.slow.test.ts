// The official client starts the command and calls its tools over stdin and stdout.

import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { LcifClassifier } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { MemoryStore } from '@vicinal/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BuiltCommand } from '../built-command.cases.ts'
import { TestFolder } from '../test-run.ts'

const command = new BuiltCommand()
const folder = new TestFolder()

beforeAll(async () => {
  await command.build()
  await (await MemoryStore.create(folder.at('notes'))).close()
  const model = await LcifClassifier.fit(
    [
      { text: 'Sailing ships of the Baltic', labels: ['ships'] },
      { text: 'The birds of the coast', labels: ['birds'] },
    ],
    { weighting: 'none' },
  )
  await model.save(folder.at('titles.model'))
  const collection = Collection.create()
  await collection.upsert({ id: 'n1', text: 'The ferry to Tallinn leaves at noon' })
  await collection.save(folder.at('books.collection'))
})

afterAll(() => {
  command.remove()
  folder.remove()
})

it('what an agent remembers is recalled by the next one', async () => {
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const client = new Client({ name: 'test', version: '1' })
    const args = [command.script, 'mcp', folder.at('notes')]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
    try {
      const { content } = await client.callTool({ name, arguments: input })
      return (content as { text: string }[])[0]?.text ?? ''
    } finally {
      await client.close()
    }
  }
  await call('remember', { text: 'the ferry leaves at noon', value: 'quay 3' })
  expect(JSON.parse(await call('recall', { query: 'when does the ferry leave?' })).memories).toMatchObject([
    { text: 'the ferry leaves at noon', value: 'quay 3' },
  ])
})

/** All eight tools, each with right and wrong arguments. */
async function useAllTools(client: Client, namespace: string): Promise<void> {
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input })
    const text = (content as { text: string }[])[0]?.text ?? ''
    return isError ? text : JSON.parse(text)
  }
  const { id } = await call('remember', { text: 'the lamp in the lab is red', namespace })
  expect((await call('recall', { query: 'which lamp?', namespace })).memories).toMatchObject([{ id }])
  expect(await call('reward', { id, query: 'which lamp?', reward: 1, namespace })).toEqual({ rewarded: id })
  expect(await call('list_memories', { namespace })).toMatchObject({ count: 1, memories: [{ id, rewards: 1 }] })
  expect(await call('forget', { id, namespace })).toEqual({ removed: id })
  expect(await call('suggest_labels', { text: 'old ships', top: 1 })).toMatchObject({ labels: [{ label: 'ships' }] })
  expect(await call('explain_label', { text: 'old ships' })).toMatchObject({ label: 'ships' })
  expect(await call('search', { text: 'ferry' })).toMatchObject({ documents: [{ id: 'n1' }] })
  for (const { name } of (await client.listTools()).tools) {
    expect(await call(name, { nonsense: 1 })).toMatch(/Invalid arguments for tool .*(expected|Unrecognized)/s)
  }
  expect(await call('forget', { id, namespace })).toContain('Use an id that recall or list_memories returned')
}

const served = () => [folder.at('notes'), folder.at('titles.model'), folder.at('books.collection')]

it('has all tools over stdin and stdout', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const args = [command.script, 'mcp', ...served()]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  await useAllTools(client, 'stdio').finally(() => client.close())
})

it('has all tools over HTTP', async () => {
  const { child, exit } = command.start(['serve', ...served(), '--port', '0', '--json'])
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', JSON.parse(String(line)).url)))
  await useAllTools(client, 'http').finally(() => client.close())
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})
