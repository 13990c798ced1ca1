// Bad requests at the level of HTTP: headers, types, encodings, streams, Annif's and MCP's routes, and bytes that are no request at all.

import { gzipSync } from 'node:zlib'
import { badBytes, mutated } from './bad-json.cases.ts'
import type { BadRequest, Pick } from './bad-request.cases.ts'
import { type Ending, type Pieces, request } from './sent-request.cases.ts'

const predict = '/v1/models/tagger/predict'
const valid = JSON.stringify({ text: 'Old ships' })

const foreign = ['evil.example', 'localhost.evil.example', 'evil.example:4747', '127.0.0.1.evil.example', '0', '[::]', 'localhost@evil.example', '', ' ', 'a'.repeat(3000), 'local host', '169.254.169.254', 'localhost:99999999'] // biome-ignore format: one line
const origins = ['https://evil.example', 'null', 'file://', 'http://localhost.evil.example', 'http://localhost:1', 'https://localhost@evil.example', '*', 'http://evil.example/localhost'] // biome-ignore format: one line

export function badHosts(pick: Pick): BadRequest {
  const headers = pick.below(2) === 0 ? { host: pick.of(foreign) } : { origin: pick.of(origins) }
  const path = pick.of([predict, '/v1/served', '/health', '/openapi.json', '/mcp', '/v1/projects', '/nothing'])
  const pieces = [request({ method: pick.of(['GET', 'POST', 'DELETE']), path, headers }, valid)]
  return { what: `${path} with ${JSON.stringify(headers).slice(0, 100)}`, pieces, expected: 'refused' }
}

const types = ['', 'text/plain', 'text/html', 'application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'json', 'application/jsonx', 'application/octet-stream', '\u00ff'] // biome-ignore format: one line

export function badTypes(pick: Pick): BadRequest {
  const encoded = pick.below(3) === 0
  const encoding = pick.of(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x-unknown'])
  const headers = encoded ? { 'content-encoding': encoding } : { 'content-type': pick.of(types) }
  const body = encoded ? gzipSync(valid) : valid
  return { what: JSON.stringify(headers), pieces: [request({ path: predict, headers }, body)], expected: 'refused' }
}

export function badStreams(pick: Pick): BadRequest {
  const line = '{"text":"ships"}\n'
  const bad = pick.of([
    () => mutated({ text: 'ships' }, pick),
    () => badBytes({ text: 'ships' }, pick),
    () => '{"vector":[1]}',
    () => '[]',
    () => '\ufffd',
  ])()
  const body = Buffer.concat([
    Buffer.from(line.repeat(pick.of([0, 1, 63, 64, 130]))),
    Buffer.from(bad),
    Buffer.from('\n'),
  ])
  const query = pick.of(['', '', '?top=0', '?top=x', '?top=1e9', '?top='])
  const path = `/v1/models/tagger/predict-stream${query}`
  const headers = { 'content-type': 'application/x-ndjson' }
  const what = `${path} with ${Buffer.from(bad).subarray(0, 60)}`
  const isFair = query === '' && isLine(Buffer.from(bad).toString())
  return { what, pieces: [request({ path, headers }, body)], expected: isFair ? 'fair' : 'stream' }
}

/** Whether a line is valid by chance; blank ones are skipped. */
function isLine(line: string): boolean {
  try {
    const { text, ...rest } = JSON.parse(line)
    return typeof text === 'string' && Object.keys(rest).length === 0
  } catch {
    return line.trim() === ''
  }
}

export function badAnnif(pick: Pick): BadRequest {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const bad = (fields: string, project = 'tagger'): Buffer =>
    request({ path: `/v1/projects/${project}/suggest`, headers: form }, fields)
  const json = (route: string, body: object): Buffer =>
    request({ path: `/v1/${route}`, headers: {} }, mutated(body, pick))
  const [pieces, expected] = pick.of<() => [Buffer, BadRequest['expected']]>([
    () => [bad(`text=x&limit=${pick.of(['-1', 'x', '1e9', '1.5', '', 'NaN'])}`), 'refused'],
    () => [bad(`text=x&threshold=${pick.of(['-1', '2', 'x', '', 'Infinity'])}`), 'refused'],
    () => [bad('limit=1'), 'refused'],
    () => [bad('text=x', pick.of(['nobody', '..', '__proto__', '%00'])), 'refused'],
    () => [bad(`text=${'%'.repeat(pick.below(50))}`), 'fair'],
    () => [json('projects/tagger/suggest-batch', { documents: [{ document_id: 'a', text: 'ships' }] }), 'fair'],
    () => [json('projects/nobody/learn', [{ text: 'owls', subjects: [{ uri: 'owls' }] }]), 'refused'],
    () => [json('detect-language', { text: 'x', languages: ['en'] }), 'fair'],
  ])()
  return { what: pieces.toString().slice(0, 300), pieces: [pieces], expected }
}

export function badMcp(pick: Pick): BadRequest {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'recall', arguments: { query: 'lamp' } } }
  const accept = pick.of(['application/json, text/event-stream', 'text/html', '*/*'])
  const body = pick.below(3) === 0 ? badBytes(call, pick) : mutated(call, pick)
  const pieces = [
    request({ path: '/mcp', headers: { accept }, method: pick.of(['POST', 'POST', 'PUT', 'DELETE']) }, body),
  ]
  return { what: `/mcp with ${Buffer.from(body).subarray(0, 100)}`, pieces, expected: 'mcp' }
}

const head = (lines: string) =>
  `POST ${predict} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines}`
const large = 1_200_000

/** Each with what the caller does after it. */
const noRequests: readonly (readonly [string, Pieces, Ending?, BadRequest['expected']?])[] = [
  ['garbage', ['\x00\x01\x02 garbage\r\n\r\n']],
  ['HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['HTTP/0.9', ['GET /health\r\n\r\n']],
  ['another version', ['GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n']],
  ['TLS', [Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(200)]],
  ['an unknown method', ['BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['CONNECT', ['CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n']],
  ['a proxy request', ['GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n']],
  ['no host', ['GET /health HTTP/1.1\r\nConnection: close\r\n\r\n']],
  ['two hosts', ['GET /health HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n']],
  ['a header without a colon', ['GET /health HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n']],
  ['a NUL in a header', ['GET /health HTTP/1.1\r\nHost: localhost\r\nx: a\x00b\r\n\r\n']],
  [
    'many headers',
    [`GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n${'x: y\r\n'.repeat(1500)}Connection: close\r\n\r\n`],
  ],
  [
    'a flood of headers',
    [`GET /health HTTP/1.1\r\nHost: localhost\r\n${'x: yyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(3000)}`],
  ],
  ['a long header', [`GET /health HTTP/1.1\r\nHost: localhost\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`]],
  ['a long path', [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`]],
  ['an unknown expectation', [head(`Expect: miracles\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`)]],
  ['a negative length', [head('Content-Length: -5\r\n\r\n{}')]],
  ['a length that is no number', [head('Content-Length: abc\r\n\r\n{}')]],
  ['two lengths', [head('Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}')]],
  ['a length and chunks', [head('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')]],
  ['a bad chunk', [head('Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n')]],
  ['a huge chunk size', [head('Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n')]],
  ['an unknown transfer', [head('Transfer-Encoding: gzip\r\nConnection: close\r\n\r\n{}')]],
  ['a length beyond the limit', [head(`Content-Length: 999999999999\r\nConnection: close\r\n\r\n{`)]],
  ['a body beyond the limit', [head(`Content-Length: ${large}\r\nConnection: close\r\n\r\n`), Buffer.alloc(large, 32)]],
  ['chunks beyond the limit', [head('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n'), ...Array.from({ length: 20 }, () => `10000\r\n${' '.repeat(65_536)}\r\n`)]], // biome-ignore format: one line
  ['a body that ends early', [head('Content-Length: 100\r\nConnection: close\r\n\r\n{"text"')], 'half-closes'],
  ['chunks that end early', [head('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{"te')], 'half-closes'],
  ['a head that ends early', ['POST /v1/models HTTP/1.1\r\nHost: loc'], 'half-closes'],
  ['a caller that goes in the body', [head('Content-Length: 100\r\n\r\n{"text"'), 5], 'hangs up', 'gone'],
  [
    'a caller that goes before the answer',
    [head(`Content-Length: ${valid.length}\r\n\r\n${valid}`)],
    'hangs up',
    'gone',
  ],
  ['a caller that goes in the head', ['POST /v1/mod', 5], 'hangs up', 'gone'],
  ['an upgrade', [head(`Connection: Upgrade, close\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\n{}`)]],
  ['TRACE', ['TRACE /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n']],
]

export function noHttp(pick: Pick): BadRequest {
  const [what, pieces, ending = 'waits', expected = 'refused'] = pick.of(noRequests)
  return { what, pieces, ending, expected }
}

const slowRequests: readonly (readonly [string, Pieces])[] = [
  ['a head that does not end', ['POST /v1/models/tagger/predict HTTP/1.1\r\nHost: localhost\r\n']],
  ['a head that comes a line at a time', ['GET /health HTTP/1.1\r\n', ...Array.from({ length: 30 }, (_, i) => [300, `x${i}: y\r\n`]).flat()]], // biome-ignore format: one line
  ['a body that does not come', [head('Content-Length: 50\r\nConnection: close\r\n\r\n{"te')]],
  ['a body that comes a byte at a time', [head('Content-Length: 500\r\nConnection: close\r\n\r\n'), ...Array.from({ length: 30 }, () => [300, ' ']).flat()]], // biome-ignore format: one line
  ['chunks without end', [head('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n'), ...Array.from({ length: 30 }, () => [300, '1\r\n \r\n']).flat()]], // biome-ignore format: one line
  ['chunks without end for MCP', [head('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n').replace(predict, '/mcp'), ...Array.from({ length: 30 }, () => [300, '1\r\n \r\n']).flat()]], // biome-ignore format: one line
  ['a stream that stops', [head('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n').replace('predict', 'predict-stream'), '5\r\n{"tex\r\n']], // biome-ignore format: one line
]

export function slowHttp(pick: Pick): BadRequest {
  const [what, pieces] = pick.of(slowRequests)
  return { what, pieces, expected: 'refused' }
}
