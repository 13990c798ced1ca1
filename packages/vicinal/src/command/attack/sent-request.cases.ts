// Sends the bytes of a request as they are, through a socket of its own: no client would send most of them. Reads what comes back.

import { connect } from 'node:net'

/** What is written, piece by piece; a number is a pause in milliseconds. */
export type Pieces = readonly (Buffer | string | number)[]

/** What the caller does after the last piece. */
export type Ending = 'waits' | 'half-closes' | 'hangs up'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Longer than any limit of the service. */
const patienceMillis = 20_000

/** The answer; undefined if the connection ended without one. */
export function send(url: string, pieces: Pieces, ending: Ending = 'waits'): Promise<Answer | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer after ${patienceMillis} ms`))
    }, patienceMillis)
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answerOf(Buffer.concat(chunks)))
    }
    socket.on('data', chunk => chunks.push(chunk))
    socket.once('end', finish)
    socket.once('close', finish)
    socket.on('error', () => {}) // refused while still writing; what was read counts
    void write(socket, pieces).then(() => {
      if (ending === 'half-closes') socket.end()
      if (ending === 'hangs up') finish()
    })
  })
}

async function write(socket: ReturnType<typeof connect>, pieces: Pieces): Promise<void> {
  for (const piece of pieces) {
    if (typeof piece === 'number') await new Promise(resolve => setTimeout(resolve, piece))
    else if (!socket.destroyed) socket.write(piece)
  }
}

function answerOf(bytes: Buffer): Answer | undefined {
  if (bytes.length === 0) return undefined
  const text = bytes.toString()
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  // 100 Continue comes before the answer itself.
  if (status === 100) return answerOf(Buffer.from(text.slice(end + 4)))
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  return { status, type, body: bodyOf(head, text.slice(end + 4)) }
}

function bodyOf(head: string, body: string): string {
  if (!/^transfer-encoding: chunked$/im.test(head)) return body
  return body.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n0\r\n\r\n$/, '')
}

export interface Head {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request in one piece. It asks to close the connection, so that its end is the end of the answer. */
export function request({ method = 'POST', path, headers = {} }: Head, body?: Buffer | string): Buffer {
  const bytes = Buffer.from(body ?? '')
  const all = {
    host: 'localhost',
    connection: 'close',
    ...(body !== undefined && { 'content-length': String(bytes.length), 'content-type': 'application/json' }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}
