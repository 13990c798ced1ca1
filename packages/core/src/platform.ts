// The only access to Node's built-in modules. Core runs in browsers too, so it never imports them: it asks the running
// process for them, and gets undefined if there is no Node.

import { EngineError } from './errors.ts'

interface NodeModules {
  'node:fs': typeof import('node:fs')
  'node:fs/promises': typeof import('node:fs/promises')
  'node:module': typeof import('node:module')
  'node:net': typeof import('node:net')
  'node:os': typeof import('node:os')
  'node:path': typeof import('node:path')
  'node:stream': typeof import('node:stream')
  'node:url': typeof import('node:url')
  'node:v8': typeof import('node:v8')
  'node:worker_threads': typeof import('node:worker_threads')
  'node:zlib': typeof import('node:zlib')
}

/** An open file. */
export type FileHandle = import('node:fs/promises').FileHandle

/** A built-in module of Node, or undefined in a browser. */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined // the name decides the type
}

/** The same for code that cannot do without it; `purpose` completes "cannot …" in the message: 'write a file'. */
export function requireNodeModule<Name extends keyof NodeModules>(name: Name, purpose: string): NodeModules[Name] {
  const found = nodeModule(name)
  if (found) return found
  throw new EngineError('UNSUPPORTED', `cannot ${purpose}: ${name} is not available here`, {
    hint: 'Run in Node 20.19 or later, or pass the bytes themselves.',
  })
}
