// Lines of a file or of stdin as they come, with their numbers, and objects on them: what the memory commands read.

import { EngineError, type JsonObject, type Place } from '@vicinal/core'
import { arrayAsLines, openInput, readLines } from '@vicinal/core/internals'
import type { CommandIo } from '../command-io.ts'

export interface TextLine {
  readonly text: string
  readonly where: Place
}

/** The lines of a file, gunzipped if it is compressed, or of stdin for '-'; leaves out empty ones. An array of objects has one a line. */
export async function* readTextLines(path: string, { stdin, signal }: CommandIo): AsyncGenerator<TextLine> {
  const input = path === '-' ? await openInput(stdin, { name: '(stdin)', signal }) : await openInput(path, { signal })
  for await (const block of readLines(arrayAsLines(input), { signal })) {
    while (block.next()) {
      const text = block.text()
      if (text.trim() !== '') yield { text, where: { file: input.name, line: block.line } }
    }
  }
}

/** The object on a line. */
export function parseObject({ text, where }: TextLine, example: string): JsonObject {
  const value = parseJson(text, where)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject // JSON made it
  throw new EngineError('BAD_DATA', `the line is ${text.slice(0, 40)}, expected an object such as ${example}`, {
    where,
  })
}

/** JSON that was given on the command line; `flag` is what messages call it. */
export function parseFlagJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EngineError('INVALID_OPTION', `${flag} is ${text.slice(0, 40)}, which is not JSON`, {
      cause,
      hint: 'Put double quotes around a text, inside those of the shell: \'"like this"\'.',
    })
  }
}

function parseJson(text: string, where: Place): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EngineError('BAD_DATA', `the line is not JSON: ${reason}`, { where, cause })
  }
}
