// The built core in a process that may set aside less address space than an engine asks for.

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const built = resolve(import.meta.dirname, '../packages/core/dist/index.mjs')
const program = `
  import { Engine } from ${JSON.stringify(built)}
  try { new Engine() } catch ({ code, message, hint }) { console.log(code, message, hint) }
`

it.skipIf(process.platform !== 'linux')('says so if the system has no room for an engine', () => {
  const command = 'ulimit -v 8000000; exec "$0" --input-type=module -e "$1"'
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' })
  expect(stdout).toMatch(/^OUT_OF_MEMORY the system cannot reserve 4096 MiB more for an engine .*maxBytes/)
})
