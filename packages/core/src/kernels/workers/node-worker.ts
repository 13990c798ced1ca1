// Worker threads of Node. In pages, no-node-worker.ts replaces this file.

import { nodeModule } from '../../platform.ts'
import type { WebUrl } from '../../web-types.ts'
import { workerSource } from '../generated/worker-source.ts'
import type { Listener, RawWorker } from './raw-worker.ts'

/** Undefined where there is no Node. */
export function startNodeWorker(url: string | WebUrl | undefined, listener: Listener): RawWorker | undefined {
  const threads = nodeModule('node:worker_threads')
  if (!threads) return undefined
  const worker = url ? new threads.Worker(new URL(url)) : new threads.Worker(workerSource, { eval: true })
  worker.on('message', listener.onReply)
  worker.on('messageerror', error => listener.onEnd(String(error)))
  worker.on('error', error => listener.onEnd(String(error)))
  worker.on('exit', code => listener.onEnd(`it exited with code ${code}`))
  return {
    post: message => worker.postMessage(message),
    hold: held => (held ? worker.ref() : worker.unref()),
    end: async () => {
      await worker.terminate()
    },
  }
}
