// The libraries that parse RDF, behind one small contract: text goes in piece by piece, triples come out, and whatever the library
// says about bad text becomes an error of ours with the place in the file.

import { EngineError, type Place } from '@vicinal/core'

export interface Triple {
  readonly subject: string
  readonly predicate: string
  /** The URI or the text of the object. */
  readonly value: string
  /** Of a text; '' if it has none. */
  readonly language: string
}

export interface TripleParser {
  /** Resolves once the text has been parsed. */
  write(text: string): Promise<void>
  /** Call it at the end of the file. */
  end(): Promise<void>
}

/** What both libraries give. */
interface Quad {
  readonly subject: { readonly value: string; readonly termType: string }
  readonly predicate: { readonly value: string }
  readonly object: { readonly value: string; readonly language?: string }
}

interface QuadStream {
  on(event: 'data', listener: (quad: Quad) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'end', listener: () => void): unknown
  write(text: string, done: (error?: Error | null) => void): unknown
  end(): unknown
}

type Take = (triple: Triple) => void

/** Turtle and N-Triples, which is a part of Turtle. */
export async function turtleParser(take: Take, file: string): Promise<TripleParser> {
  // @ts-expect-error: the library has no types
  const { StreamParser } = await import('n3')
  return parserOf(new StreamParser({ format: 'Turtle' }) as QuadStream, take, file, 'Turtle')
}

export async function xmlParser(take: Take, file: string): Promise<TripleParser> {
  const { RdfXmlParser } = await import('rdfxml-streaming-parser')
  const stream = new RdfXmlParser() as unknown as QuadStream // the part of it that is used here
  return untilRootCloses(parserOf(stream, take, file, 'RDF/XML'), file)
}

/** The library accepts files that end too early: half a download would pass for a small vocabulary. */
function untilRootCloses({ write, end }: TripleParser, file: string): TripleParser {
  let [head, tail] = ['', '']
  return {
    async write(text) {
      if (head.length < headLength) head += text.slice(0, headLength)
      tail = (tail + text).slice(-tailLength)
      await write(text)
    },
    async end() {
      await end()
      const root = /<([\p{L}_][^\s/>]*)/u.exec(head)?.[1]
      if (root !== undefined && !tail.includes(`</${root}`))
        throw badFile(new Error('the file ends too early'), file, 'RDF/XML')
    },
  }
}

const headLength = 2 ** 14
/** Comments and white space may follow the end of the root. */
const tailLength = 2 ** 12

function parserOf(stream: QuadStream, take: Take, file: string, format: string): TripleParser {
  let failure: EngineError | undefined
  const fail = (error: Error) => {
    failure ??= badFile(error, file, format)
  }
  stream.on('error', fail)
  stream.on('data', ({ subject, predicate, object }) => {
    if (subject.termType === 'BlankNode') return // no label has its id
    take({ subject: subject.value, predicate: predicate.value, value: object.value, language: object.language ?? '' })
  })
  const check = () => {
    if (failure) throw failure
  }
  return {
    async write(text) {
      check()
      await new Promise<void>(resolve => stream.write(text, () => resolve()))
      check()
    },
    async end() {
      check()
      await new Promise<void>(resolve => {
        stream.once('end', resolve)
        stream.on('error', () => resolve())
        stream.end()
      })
      check()
    },
  }
}

/** Both libraries say where, each in its own way. */
function badFile(
  error: Error & { readonly context?: { readonly line?: number } },
  file: string,
  format: string,
): EngineError {
  const [, line, column, rest] = /^(\d+):(\d+): (.*)/s.exec(error.message) ?? []
  const message = (rest ?? error.message).replace(/ on line \d+\.?$/, '').replace(/\.$/, '')
  const where: Place = {
    file,
    ...(line !== undefined && { line: Number(line), column: Number(column) }),
    ...(error.context?.line !== undefined && { line: error.context.line }),
  }
  return new EngineError('BAD_DATA', `the ${format} is broken: ${message}`, {
    ...{ where, cause: error },
    hint: 'Fix the file, or download it again.',
  })
}
