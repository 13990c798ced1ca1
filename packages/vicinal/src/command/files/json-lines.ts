// Lines of a file or of stdin as they come, with their numbers, and objects on them: what the memory commands read.

import { EngineError, type JsonObject, type Place } from '@vicinal/core'
import { openInput } from '@vicinal/core/internals'
import type { CommandIo } from '../command-io.ts'

export interface TextLine {
  readonly text: string
  readonly where: Place
}

/** The lines of a file, gunzipped if it is compressed, or of stdin for '-'; leaves out empty ones. */
export async function* readTextLines(path: string, { stdin, signal }: CommandIo): AsyncGenerator<TextLine> {
  const input = path === '-' ? await openInput(stdin, { name: '(stdin)', signal }) : await openInput(path, { signal })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [rest, line] = ['', 0]
  const place = () => ({ file: input.name, line })
  for await (const chunk of input.chunks) {
    const lines = (rest + decode(decoder, chunk, place)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      line++
      if (text.trim() !== '') yield { text: text.replace(/\r$/, ''), where: place() }
    }
  }
  line++
  rest += decode(decoder, undefined, place)
  if (rest.trim() !== '') yield { text: rest, where: place() }
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

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, place: () => Place): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch (cause) {
    throw new EngineError('BAD_DATA', 'this or a later line is not UTF-8', { where: place(), cause })
  }
}
