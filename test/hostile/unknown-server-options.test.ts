// The server refuses a misspelled option too: `{ token: … }` must not start a service that everybody may use.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CollectionStore, MemoryStore, writeSite } from '@vicinal/server'
import { createApp, openService, Service, type ServiceCalls, serve } from '@vicinal/server/http'
import { createMcpServer, mcpHandler, serveMcp } from '@vicinal/server/mcp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Call = (options: object) => unknown

const nothing: ServiceCalls = { served: [], call: async () => '', close: async () => {} }

let folder = ''
let memories: MemoryStore
let documents: CollectionStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-server-options-'))
  memories = await MemoryStore.create(join(folder, 'memories'))
  documents = await CollectionStore.create(join(folder, 'documents'))
})
afterAll(async () => {
  await memories.close()
  await documents.close()
  await rm(folder, { recursive: true })
})

const calls: Record<string, Call> = {
  serve: options => serve([], options),
  createApp: options => createApp(nothing, options),
  'Service.open': options => Service.open([], options),
  openService: options => openService([], options),
  createMcpServer: options => createMcpServer(nothing, options),
  mcpHandler: options => mcpHandler(nothing, options),
  serveMcp: options => serveMcp(nothing, options),
  writeSite: options => writeSite(join(folder, 'site'), ['a.model'], { page: folder, ...options }),
  'MemoryStore.restore': options => MemoryStore.restore(join(folder, 'none'), join(folder, 'new'), options),
  'MemoryStore.insert': options => memories.insert('a', 1, options),
  'MemoryStore.insertMany': options => memories.insertMany([], options),
  'MemoryStore.insertMany, a memory': options => memories.insertMany([{ key: 'a', value: 1, ...options }]),
  'MemoryStore.upsert': options => memories.upsert('a', 1, { id: 1, ...options }),
  'MemoryStore.query': options => memories.query('a', options),
  'MemoryStore.learn': options => memories.learn('a', () => 1, options),
  'MemoryStore.list': options => memories.list(options),
  'MemoryStore.count': options => memories.count(options),
  'MemoryStore.backup': options => memories.backup(join(folder, 'copy'), options),
  'CollectionStore.create': options => CollectionStore.create(join(folder, 'new'), options),
  'CollectionStore.open': options => CollectionStore.open(join(folder, 'documents'), options),
  'CollectionStore.upsert': options => documents.upsert({ id: 1, text: 'a' }, options),
  'CollectionStore.upsertMany': options => documents.upsertMany([], options),
  'CollectionStore.list': options => documents.list(options),
  'CollectionStore.search': options => documents.search({ text: 'a', ...options }),
  'CollectionStore.optimize': options => documents.optimize(options),
}

/** What the call throws, or its promise rejects with. */
async function errorOf(call: Call, options: object): Promise<unknown> {
  try {
    await call(options)
    return undefined
  } catch (error) {
    return error
  }
}

describe('a misspelled option is refused', () => {
  it.each(Object.entries(calls))('by %s', async (_, call) => {
    expect(await errorOf(call, { zebra: 1 })).toMatchObject({
      code: 'UNKNOWN_NAME',
      message: expect.stringMatching('unknown option "zebra"$'),
    })
  })

  it('with the one that was meant', async () => {
    const error = await errorOf(options => serve([], options), { token: ['secret'] })
    expect(error).toMatchObject({ hint: expect.stringMatching('^Did you mean "tokens"\\?') })
  })
})

describe('a service refuses values that it cannot use', () => {
  it.each([
    [{ port: '80' }, "port is '80', expected a whole number from 0 to 65535"],
    [
      { tokens: ['secret'] },
      "tokens[0] is 'secret', expected a token such as { secret: '…', access: 'read' }, or 'write'",
    ],
    [{ tokens: [{ secret: 'secret', access: 'admin' }] }, /^tokens\[0\] is an object, expected a token/],
    [{ hosts: 'localhost' }, "hosts is 'localhost', expected a list of strings"],
    [{ timeoutMs: Number.NaN }, 'timeoutMs is NaN, expected a whole number from 1 to 2147483647'],
    [{ thread: './thread.mjs' }, "thread is './thread.mjs', expected the URL of a script"],
    [{ open: 'yes' }, "open is 'yes', expected true or false"],
  ])('%j', async (options, message) => {
    await expect(serve([], options as object)).rejects.toThrow(message)
  })

  it('keeps the limit of bodies if it is given as undefined', async () => {
    const app = createApp(nothing, { bodyBytes: undefined } as object)
    const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': String(2 ** 40) }
    const answer = await app.request('/v1/models/none/predict', { method: 'POST', body: '{}', headers })
    expect(answer.status).toBe(413)
  })
})
