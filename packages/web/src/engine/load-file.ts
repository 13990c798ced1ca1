// Loads a file piece by piece, into memory that is set aside for it once.

import { EngineError } from '@vicinal/core'

/** How often progress is told. */
const progressMillis = 50

export async function loadFile(
  url: URL,
  expected: number,
  onLoaded: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url).catch(cause => {
    throw unloaded(url, 'the site does not answer', cause)
  })
  if (!response.ok || !response.body) throw unloaded(url, `the site answered with status ${response.status}`)
  const bytes = new Uint8Array(expected)
  let [loaded, told] = [0, 0]
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read().catch(cause => {
      throw unloaded(url, 'the connection broke off', cause)
    })
    if (done) break
    if (loaded + value.length > expected) throw unloaded(url, `it is longer than ${expected} bytes`)
    bytes.set(value, loaded)
    loaded += value.length
    if (performance.now() - told < progressMillis) continue
    told = performance.now()
    onLoaded(loaded)
  }
  if (loaded < expected) throw unloaded(url, `it has ${loaded} bytes instead of ${expected}`)
  return bytes
}

function unloaded(url: URL, why: string, cause?: unknown): EngineError {
  const name = url.pathname.split('/').at(-1)
  return new EngineError('FILE_ACCESS', `the file ${name} could not be loaded: ${why}`, {
    ...{ cause, hint: 'Check your connection, and reload the page. If that does not help, the site is incomplete.' },
  })
}
