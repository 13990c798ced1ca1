// The official client over HTTP, for tests.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createApp } from '../http/app.ts'
import type { Service } from '../service/service.ts'

export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what is in it
  readonly answer: any
}

export type Call = (name: string, input: object) => Promise<Called>

/** Without a socket: the client's requests go straight to the app. */
export async function connected<T>(
  service: Service,
  options: Parameters<typeof createApp>[1],
  use: (call: Call, client: Client) => Promise<T>,
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
