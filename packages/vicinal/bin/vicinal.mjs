#!/usr/bin/env node
// Starts the built command, or says why it cannot. Old versions of Node must be able to read this file.

import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
const built = new URL('../dist/command.mjs', import.meta.url)

if (major < 20 || (major === 20 && minor < 19)) {
  fail(`needs Node 20.19 or later, this is ${process.versions.node}`, 'Install a newer Node from https://nodejs.org.')
} else if (!existsSync(built)) {
  fail('is not built', 'In a checkout, run `npm run build` first.')
} else {
  import(built.href).then(({ run, runProcess }) => runProcess(run))
}

function fail(problem, hint) {
  process.stderr.write(`vicinal: ${problem}\n  hint: ${hint}\n`)
  process.exitCode = 1
}
