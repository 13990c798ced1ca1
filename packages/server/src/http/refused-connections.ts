// Refuses what never becomes a request: bytes that are not HTTP, heads that are too long or too slow. The answers have the same form as all
// other errors.

import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpProblem, problemOf } from './problem.ts'

export function answerRefused(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, problemOfHttp(error.code)))
  server.on('connect', (_, socket) => refuse(socket, new HttpProblem(405, 'NO_PROXY', 'this is not a proxy')))
  server.on('checkExpectation', (_, outgoing) => {
    const problem = new HttpProblem(417, 'BAD_EXPECTATION', 'the only Expect header known here is "100-continue"')
    outgoing.writeHead(417, { 'content-type': 'application/problem+json', connection: 'close' })
    outgoing.end(JSON.stringify(problemOf(problem)))
  })
}

/** By the code of Node's parser. */
function problemOfHttp(code = ''): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpProblem(431, 'LONG_HEADERS', 'the headers have more than 16 KiB')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpProblem(408, 'TOO_SLOW', 'the request did not arrive in time')
  return new HttpProblem(400, 'BAD_HTTP', 'this is not a valid HTTP request')
}

function refuse(socket: Duplex, problem: HttpProblem): void {
  socket.on('error', () => {}) // the caller may have gone
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(problemOf(problem))
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...['Content-Type: application/problem+json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'],
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
