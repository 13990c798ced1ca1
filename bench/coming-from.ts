// Runs the programs of docs/coming-from.md that use other libraries, and checks that they print what the page says; ours are run by
// test/coming-from.test.ts. The libraries are looked for in bench/peers.
//   npm run bench:coming-from

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'coming-from.md'), 'utf8')
const programs = [...page.matchAll(/```js (bench\/peers\/programs\/\S+)\n[\s\S]*?\nBoth print `(.*)`/g)]
const folder = mkdtempSync(join(tmpdir(), 'coming-from-'))
try {
  for (const [, file = '', printed] of programs) {
    const path = join(import.meta.dirname, '..', file)
    const { stdout, stderr } = spawnSync(process.execPath, [path, join(folder, 'kept')], { encoding: 'utf8' })
    const isAsSaid = stdout.trim() === printed
    console.log(isAsSaid ? 'as the page says' : `"${stdout.trim()}", the page says "${printed}" ${stderr}`, file)
    if (!isAsSaid) process.exitCode = 1
    rmSync(join(folder, 'kept'), { recursive: true, force: true })
  }
} finally {
  rmSync(folder, { recursive: true })
}
