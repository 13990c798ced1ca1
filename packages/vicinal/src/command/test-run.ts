// Runs the command in process and records what it prints: for the tests of this folder.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandIo } from './command-io.ts'
import { run } from './main.ts'

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
      written[name] += text
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
