// The official client starts the command and calls its tools over stdin and stdout.

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { MemoryStore } from '@vicinal/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BuiltCommand } from '../built-command.cases.ts'
import { TestFolder } from '../test-run.ts'

const command = new BuiltCommand()
const folder = new TestFolder()

beforeAll(async () => {
  await command.build()
  await (await MemoryStore.create(folder.at('notes'))).close()
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
