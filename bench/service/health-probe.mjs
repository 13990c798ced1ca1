// Asks /health every ten milliseconds, from a thread of its own, until told to stop; then sends how long each answer took.

import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times = []
let isStopped = false
parentPort.once('message', () => {
  isStopped = true
})

while (!isStopped) {
  const begin = performance.now()
  await answered()
  const took = performance.now() - begin
  times.push(took)
  await new Promise(resolve => setTimeout(resolve, Math.max(0, 10 - took)))
}
agent.destroy()
parentPort.postMessage(times)

function answered() {
  return new Promise((resolve, reject) => {
    const request = get(`${workerData}/health`, { agent }, response => response.resume().once('end', resolve))
    request.once('error', reject)
  })
}
