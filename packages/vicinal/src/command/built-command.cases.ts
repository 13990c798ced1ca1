// The command as people run it, for tests: bin/vicinal.mjs in processes of its own, over a bundle of the sources.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const packageFolder: string = fileURLToPath(new URL('../..', import.meta.url))

export interface StartedCommand {
  readonly child: ChildProcess
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<[code: number | null, signal: string | null]>
  readonly stdout: Promise<string>
  readonly stderr: Promise<string>
}

export class BuiltCommand {
  /** Inside the package, so that its dependencies are found. */
  readonly folder: string
  readonly script: string

  constructor() {
    mkdirSync(join(packageFolder, 'node_modules'), { recursive: true })
    this.folder = mkdtempSync(join(packageFolder, 'node_modules', '.process-test-'))
    this.script = join(this.folder, 'bin', 'vicinal.mjs')
  }

  async build(): Promise<void> {
    cpSync(join(packageFolder, 'bin'), join(this.folder, 'bin'), { recursive: true })
    await build({
      entryPoints: {
        command: join(packageFolder, 'src', 'command', 'main.ts'),
        'service-thread': join(packageFolder, 'src', 'service-thread.ts'),
      },
      outdir: join(this.folder, 'dist'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@vicinal/source'],
      external: [
        'commander',
        'hono',
        '@hono/node-server',
        '@modelcontextprotocol/server',
        '@vicinal/web', // its files are beside it
        'prom-client',
        '@vicinal/web', // it finds the page beside itself
        'zod',
        'h5wasm',
        'hyparquet',
        'snowball-stemmers',
      ],
      logLevel: 'error',
    })
  }

  start(argv: readonly string[], stdio: StdioOptions = ['ignore', 'pipe', 'pipe']): StartedCommand {
    return startScript(this.script, argv, stdio)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }
}

export function startScript(script: string, argv: readonly string[], stdio: StdioOptions): StartedCommand {
  const child = spawn(process.execPath, [script, ...argv], { stdio })
  return {
    child,
    exit: once(child, 'exit') as Promise<[number | null, string | null]>, // what a process's exit event says
    stdout: child.stdout ? text(child.stdout).catch(() => '') : Promise.resolve(''), // a test may close it
    stderr: child.stderr ? text(child.stderr) : Promise.resolve(''),
  }
}
