// Replaces platform.ts in pages, like store/files/no-files.ts: the `browser` field of package.json tells bundlers.

import { EngineError } from './errors.ts'

export function nodeModule(): undefined {}

export function requireNodeModule(name: string, purpose: string): never {
  throw new EngineError('UNSUPPORTED', `cannot ${purpose}: ${name} is not available here`, {
    hint: 'Run in Node 20.19 or later, or pass the bytes themselves.',
  })
}
