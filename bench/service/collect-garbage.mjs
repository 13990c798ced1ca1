// Loaded into the process of the service, in all its threads: on SIGUSR2, each collects its garbage. What the process then has in memory is
// what it needs. V8 alone collects when the heap has grown enough, which looks like a leak for some rounds.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
const threads = new BroadcastChannel('collect garbage')
threads.onmessage = () => collect()
threads.unref()
if (isMainThread) {
  process.on('SIGUSR2', () => {
    threads.postMessage('')
    collect()
  })
}
