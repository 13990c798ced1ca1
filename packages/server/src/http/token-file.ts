// Tokens in a file: one a line, `read <token>` or `write <token>`; a bare token may write. Lines that begin with # are comments.

import { readFile } from 'node:fs/promises'
import { EngineError } from '@vicinal/core'
import type { Token } from './guard.ts'

/** Shorter ones can be guessed. */
const shortest = 16

export async function readTokens(path: string): Promise<Token[]> {
  const text = await readFile(path, 'utf8').catch(cause => {
    const code = cause.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_ACCESS'
    const message = code === 'FILE_NOT_FOUND' ? 'there is no such token file' : 'the token file cannot be read'
    const hint = 'Check the path and its permissions. A token file has one token a line: `write <token>`.'
    throw new EngineError(code, message, { where: { file: path }, cause, hint })
  })
  const tokens = text.split('\n').flatMap((line, i) => tokenOf(line.trim(), path, i + 1))
  if (tokens.length > 0) return tokens
  throw new EngineError('BAD_DATA', 'there is no token in the token file', {
    where: { file: path },
    hint: `Write one a line, of ${shortest} characters or more, such as the output of \`openssl rand -hex 24\`.`,
  })
}

function tokenOf(line: string, file: string, number: number): Token[] {
  if (line === '' || line.startsWith('#')) return []
  const [, access = 'write', secret = ''] = /^(?:(read|write)\s+)?(\S+)$/.exec(line) ?? []
  if (secret.length < shortest) {
    throw new EngineError(
      'BAD_DATA',
      `expected \`read <token>\` or \`write <token>\`, with ${shortest} characters or more`,
      {
        where: { file, line: number },
      },
    )
  }
  return [{ secret, access: access as Token['access'] }] // one of the two, by the pattern
}
