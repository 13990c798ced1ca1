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
