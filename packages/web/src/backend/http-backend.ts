// The service that this page came from. Addresses are relative, so that the service may be behind a proxy at any path.

import { type Backend, Problem, type ServedKind, type ServedName } from './backend.ts'
import { folders, routes } from './routes.ts'

const tokenKey = 'vicinal-token'

/** The token to send from now on. It is forgotten when the tab is closed. */
export function setToken(token: string): void {
  sessionStorage.setItem(tokenKey, token)
}

export const httpBackend: Backend = {
  kind: 'http',
  async served() {
    const { served } = await request<{ served: ServedName[] }>('v1/served', { method: 'GET' })
    return served
  },
  call(kind, name, operation, input, signal) {
    const [path, init] = requestOf(kind, name, operation, input)
    return request(path, { ...init, ...(signal && { signal }) })
  },
}

/** The path and the rest of a request. Fields go into the path, then into the query string or the body. */
export function requestOf(kind: ServedKind, name: string, operation: string, input: object): [string, RequestInit] {
  const route = routes[kind][operation]
  if (!route) throw new Error(`${kind} has no operation ${operation}`) // a bug of ours
  const [method, pattern] = route
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = `v1/${folders[kind]}/${encodeURIComponent(name)}${pattern}`.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = fields.get(field)
    fields.delete(field)
    return encodeURIComponent(String(value))
  })
  if (method === 'POST') return [path, { method, body: JSON.stringify(Object.fromEntries(fields)) }]
  const query = new URLSearchParams([...fields].map(([field, value]) => [field, String(value)]))
  return [fields.size > 0 ? `${path}?${query}` : path, { method }]
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const token = sessionStorage.getItem(tokenKey)
  const headers = {
    ...(init.body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  let response: Response
  try {
    response = await fetch(path, { ...init, headers })
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new Problem(0, 'OFFLINE', 'the service does not answer', 'Check that it is running, and your connection.')
  }
  if (!response.ok) throw await problemOf(response)
  return response.json()
}

async function problemOf(response: Response): Promise<Problem> {
  const { code, detail, hint } = await response.json().catch(() => ({}))
  return new Problem(
    response.status,
    code ?? 'UNKNOWN',
    detail ?? `the service answered with status ${response.status}`,
    hint,
  )
}
