// What a worker thread runs: kernels of the same modules over the same memory, and nothing else. The build takes it into the code as
// text, so that neither Node nor a bundler has to find a file, and ships it as a file, for pages that may not start workers from text.
// So it imports and exports nothing. Each thread takes the next job until none is left; a job's result has its own place, so the
// order in which threads finish cannot matter. Jobs are cut into steps as in job-steps.ts.

const node = globalThis.process?.getBuiltinModule?.('node:worker_threads')
const port = node?.parentPort ?? self
let memory
/** Kernels by the names of their sets. */
const sets = {}

function work({ set, kernel, args, arity, scratch, control, results, cutting }) {
  const run = sets[set][kernel]
  const first = scratch === undefined ? [] : [scratch]
  const stopped = () => Atomics.load(control, 2) !== 0
  const again = job => {
    for (let step = 0; ; step++) {
      const result = run(...job, step)
      if (result !== -1 || stopped()) return result
    }
  }
  const byParts = job => {
    const [from, to] = job.splice(-2)
    let [at, size, sum] = [from, 1, 0]
    while (at < to && !stopped()) {
      const start = performance.now()
      const end = Math.min(to, at + size)
      sum += run(...job, at, end) ?? 0
      at = end
      size = performance.now() - start < 5 ? 2 * size : Math.max(1, size >> 1)
    }
    return sum
  }
  const call = cutting === 'again' ? again : cutting === 'range' ? byParts : job => run(...job)
  for (;;) {
    const job = Atomics.add(control, 0, 1)
    if (job >= results.length || stopped()) return
    results[job] = call([...first, ...args.subarray(job * arity, (job + 1) * arity)]) ?? 0
    Atomics.add(control, 1, 1)
  }
}

function load({ set, module }) {
  sets[set] = new WebAssembly.Instance(module, { env: { memory } }).exports
}

// The lock is held as long as the thread lives, so that whoever waits for it notices when the thread ends.
function start(data) {
  const { lock } = data
  memory = data.memory
  load(data)
  if (!lock) return port.postMessage({ ready: true })
  navigator.locks
    .request(lock, () => {
      port.postMessage({ ready: true, lock })
      return new Promise(() => {})
    })
    .catch(() => port.postMessage({ ready: true }))
}

port.onmessage = ({ data }) => {
  try {
    if (data.memory) return start(data)
    if (data.module) load(data)
    else work(data)
    port.postMessage({})
  } catch (error) {
    port.postMessage({ error: String(error) })
  }
}
