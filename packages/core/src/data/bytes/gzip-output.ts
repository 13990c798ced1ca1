// Compresses on the way to an output.

import { EngineError } from '../../errors.ts'
import { nodeModule } from '../../platform.ts'
import type { Output } from '../format.ts'

/** Calls `write` with an output whose bytes reach `output` gzipped. */
export async function gzipTo(output: Output, write: (zipped: Output) => Promise<void>): Promise<void> {
  const zlib = nodeModule('node:zlib')
  if (!zlib) throw new EngineError('UNSUPPORTED', `cannot compress ${output.name}: zlib is not available here`)
  const zip = zlib.createGzip()
  const passOn = async () => {
    for await (const chunk of zip) await output.write(chunk)
  }
  // If passing on fails, the loop destroys `zip`, so that the writing fails too and does not wait forever.
  const passing = passOn()
  const writing = write({ name: output.name, write: chunk => promised(done => zip.write(chunk, done)) }).then(() => {
    zip.end()
  })
  writing.catch(cause => zip.destroy(cause))
  await Promise.allSettled([passing, writing])
  await passing // in either case it holds the first cause
  await writing
}

function promised(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start(error => (error ? reject(error) : resolve())))
}
