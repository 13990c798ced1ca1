// What a worker thread runs: kernels of the same module over the same memory, and nothing else. It is a string, so that
// neither Node nor a bundler has to find a file. Each thread takes the next job until none is left; a job's result has its
// own place, so the order in which threads finish cannot matter.

export const workerSource = `
const port = typeof require === 'function' ? require('node:worker_threads').parentPort : self
let kernels
port.onmessage = ({ data }) => {
  if (data.module) {
    kernels = new WebAssembly.Instance(data.module, { env: { memory: data.memory } }).exports
    return
  }
  const { kernel, args, arity, scratch, control, results } = data
  const run = kernels[kernel]
  const first = scratch === undefined ? [] : [scratch]
  try {
    for (;;) {
      const job = Atomics.add(control, 0, 1)
      if (job >= results.length || Atomics.load(control, 2) !== 0) break
      results[job] = run(...first, ...args.subarray(job * arity, (job + 1) * arity)) ?? 0
      Atomics.add(control, 1, 1)
    }
    port.postMessage({})
  } catch (error) {
    port.postMessage({ error: String(error) })
  }
}
`
