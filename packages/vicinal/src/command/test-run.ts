// Runs the command in process and records what it prints: for the tests of this folder.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandIo } from './command-io.ts'
import { run } from './main.ts'

const progressLine = /^\d+ % after .*\n$/

export interface RecordedRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `vicinal` with the arguments. No terminal, nothing on stdin. */
export async function vicinal(argv: readonly string[], change: Partial<CommandIo> = {}): Promise<RecordedRun> {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({
    write(text: string) {
      // On a busy machine tests take long enough for progress; it has tests of its own.
      if (name === 'stdout' || !progressLine.test(text)) written[name] += text
    },
  })
  const code = await run(argv, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stdin: nothing(),
    env: {},
    signal: new AbortController().signal,
    ...change,
  })
  return { code, ...written }
}

/** A folder for a test's files. `file` writes one and returns its path; `plain` takes the folder out of a text. */
export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'vicinal-'))

  file(name: string, contents: string | Uint8Array): string {
    writeFileSync(this.at(name), contents)
    return this.at(name)
  }

  folder(name: string): string {
    mkdirSync(this.at(name))
    return this.at(name)
  }

  at(name: string): string {
    return join(this.path, name)
  }

  plain(text: string): string {
    return text.replaceAll(`${this.path}/`, '')
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Twelve texts with labels, as JSON lines. */
export const titles: string = [
  ['t0', 'ships of the baltic sea', 'shipping', 'baltic'],
  ['t1', 'sailing ships and their harbors', 'shipping'],
  ['t2', 'the harbors of the baltic coast', 'baltic', 'harbors'],
  ['t3', 'cooking with mushrooms', 'cooking', 'mushrooms'],
  ['t4', 'the mushrooms of northern forests', 'mushrooms', 'forests'],
  ['t5', 'cooking for two', 'cooking'],
  ['t6', 'forests and their birds', 'forests', 'birds'],
  ['t7', 'birds of the baltic sea', 'birds', 'baltic'],
  ['t8', 'a cookbook of fish from the sea', 'cooking', 'fish'],
  ['t9', 'fish and ships', 'fish', 'shipping'],
  ['t10', 'watching birds in the forests', 'birds'],
  ['t11', 'container ships in old harbors', 'shipping', 'harbors'],
]
  .map(([id, text, ...labels]) => `${JSON.stringify({ id, text, labels })}\n`)
  .join('')

type Rows = readonly (readonly number[])[]

/** Rows as .fvecs: before each its length. */
export function fvecs(rows: Rows): Uint8Array {
  return join32(rows.flatMap(row => [Int32Array.of(row.length), Float32Array.from(row)]))
}

/** Rows as .npy, of 32-bit floats. */
export function npy(rows: Rows): Uint8Array {
  const shape = `(${rows.length}, ${rows[0]?.length})`
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117)
  const head = Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, 'latin1')
  return Buffer.concat([head, join32([Float32Array.from(rows.flat())])])
}

/** Rows as IDX, of bytes. */
export function idx(rows: Rows): Uint8Array {
  return Uint8Array.of(0, 0, 8, 2, 0, 0, 0, rows.length, 0, 0, 0, rows[0]?.length ?? 0, ...rows.flat())
}

/** What is typed, as stdin gives it. */
export async function* typed(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part)
}

function join32(arrays: readonly (Int32Array | Float32Array)[]): Uint8Array {
  return Buffer.concat(arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)))
}

/** The objects that a command printed, one on each line. */
export function jsonLines(stdout: string) {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}
