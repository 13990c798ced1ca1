// Runs the long hostile checks (test/hostile) and keeps how many cases each has tried and how many failed: npm run reliability. It takes
// an hour or so. The table of docs/reliability.md is made of what is kept. With `--collect folder` nothing runs: the counts are those of
// checks that ran apart, with HOSTILE_REPORT=folder.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepResult } from './measure.ts'

interface Counts {
  readonly name: string
  readonly tried: number
  readonly failed: number
}

const root = join(import.meta.dirname, '..')

/** Runs the checks; their counts are then in the folder. False if one has failed. */
function runChecks(folder: string, words: readonly string[]): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const env = { ...process.env, HOSTILE_REPORT: folder }
  const run = [vitest, 'run', 'test/hostile', '--mode', 'hostile', ...words]
  return spawnSync(process.execPath, run, { cwd: root, env, stdio: 'inherit' }).status === 0
}

function keepCounts(folder: string): void {
  const checks = readdirSync(folder).map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Counts)
  checks.sort((a, b) => b.tried - a.tried || (a.name < b.name ? -1 : 1))
  keepResult('reliability', { checks })
}

const [first, given] = process.argv.slice(2)
if (first === '--collect' && given) {
  keepCounts(given)
} else {
  const folder = mkdtempSync(join(tmpdir(), 'vicinal-reliability-'))
  try {
    process.exitCode = runChecks(folder, process.argv.slice(2)) ? 0 : 1
    keepCounts(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
