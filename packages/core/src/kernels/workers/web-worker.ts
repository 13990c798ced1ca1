// Workers of browsers.

import { nodeModule } from '../../platform.ts'
import type { WebUrl } from '../../web-types.ts'
import { workerSource } from '../generated/worker-source.ts'
import type { Listener, RawWorker, Reply } from './raw-worker.ts'

/** How long a browser may take to terminate a worker. */
const goneMillis = 1000

export function startWebWorker(url: string | WebUrl | undefined, listener: Listener): RawWorker {
  const own = url ? undefined : URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
  const worker = new Worker(own ?? (url as string | URL)) // a page has the DOM's URL
  let gone: Promise<unknown> = Promise.resolve()
  worker.onmessage = ({ data }: { data: Reply & { lock?: string } }) => {
    if (data.ready && own) URL.revokeObjectURL(own) // the script is loaded
    if (data.lock) gone = whenFree(data.lock).then(() => listener.onEnd('the browser ended it'))
    listener.onReply(data)
  }
  worker.onmessageerror = () => listener.onEnd('its message could not be read')
  // A worker that the content security policy forbids ends with an event that has no message.
  worker.onerror = event => {
    event.preventDefault()
    listener.onEnd(event.message || 'the browser refused to start it')
  }
  return {
    post: message => worker.postMessage(message),
    hold: () => {},
    end: async () => {
      worker.terminate()
      if (own) URL.revokeObjectURL(own)
      await Promise.race([gone, new Promise(resume => setTimeout(resume, goneMillis))])
    },
  }
}

/** Browsers do not report when a worker is gone. So the worker holds a lock for as long as it lives. */
export function watchName(): string | undefined {
  const known = nodeModule('node:worker_threads') === undefined && globalThis.navigator?.locks !== undefined
  return known ? `vicinal ${crypto.randomUUID()}` : undefined
}

async function whenFree(lock: string): Promise<void> {
  try {
    await navigator.locks.request(lock, () => undefined)
  } catch {
    await new Promise(() => {}) // a page that is left gets no locks
  }
}
