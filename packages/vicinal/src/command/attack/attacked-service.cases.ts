// A real service process, thousands of bad requests, and the question whether it is still as it was.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BuiltCommand, type StartedCommand } from '../built-command.cases.ts'
import { badAnnif, badHosts, badMcp, badStreams, badTypes, noHttp, slowHttp } from './bad-http.cases.ts'
import {
  badAccess,
  badBodies,
  badFields,
  badIds,
  badPaths,
  badQueries,
  type Valid,
  validRequests,
} from './bad-operations.cases.ts'
import { type BadRequest, Pick } from './bad-request.cases.ts'
import { type Answer, send } from './sent-request.cases.ts'
import { makeServedFiles, type ServedFiles } from './served-files.cases.ts'

type Maker = (pick: Pick, valid: readonly Valid[]) => BadRequest

/** Fields are wrong most often: every operation has many. */
const makers: readonly (readonly [Maker, share: number])[] = [
  ...([[badFields, 40], [badBodies, 8], [badQueries, 8], [badPaths, 8], [badIds, 4], [badAccess, 6]] as const), // biome-ignore format: one line
  ...([[badHosts, 6], [badTypes, 4], [badStreams, 5], [badAnnif, 4], [badMcp, 3], [noHttp, 3], [slowHttp, 1]] as const), // biome-ignore format: one line
]

/** The same for the same seed. */
function badRequests(count: number, seed: number, valid: readonly Valid[]): BadRequest[] {
  const pick = new Pick(seed)
  const wheel = makers.flatMap(([make, share]) => Array.from({ length: share }, () => make))
  return Array.from({ length: count }, () => pick.of(wheel)(pick, valid))
}

interface Running extends StartedCommand {
  readonly url: string
}

/** Two processes of the same files: one open, one that wants tokens. Each also serves what no request names. */
export class AttackedService {
  readonly #command = new BuiltCommand()
  readonly #files: ServedFiles[] = []
  #folder = ''
  #open: Running | undefined
  #guarded: Running | undefined

  async start(): Promise<void> {
    await this.#command.build()
    this.#folder = await mkdtemp(join(tmpdir(), 'vicinal-attack-'))
    const tokens = join(this.#folder, 'tokens')
    await writeFile(tokens, 'read reader-reader-reader\nwrite writer-writer-writer\n')
    this.#open = await this.#start([])
    this.#guarded = await this.#start(['--token-file', tokens])
  }

  async #start(more: readonly string[]): Promise<Running> {
    const [attacked, untouched] = [await makeServedFiles(), await makeServedFiles()]
    this.#files.push(attacked, untouched)
    const paths = [...attacked.paths, ...untouched.paths.map(path => `untouched=${path}`)]
    const started = this.#command.start([
      'serve',
      ...paths,
      '--port',
      '0',
      '--json',
      '--timeout',
      '1',
      '--max-body',
      '1',
      ...more,
    ])
    const url = await new Promise<string>((resolve, reject) => {
      started.child.stdout?.once('data', line => resolve(JSON.parse(String(line)).url))
      started.stderr.then(text => reject(new Error(text)))
    })
    return { ...started, url }
  }

  /** `count` bad requests, made from the examples in the service's own documentation. */
  async requests(count: number, seed: number): Promise<BadRequest[]> {
    const document = await (await fetch(`${this.#open?.url}/openapi.json`)).json()
    return badRequests(count, seed, validRequests(document as never)) // as OpenAPI says
  }

  /** What came back that should not have, in words. */
  async attack(requests: readonly BadRequest[], atOnce = 48): Promise<string[]> {
    const faults: string[] = []
    let next = 0
    const work = async () => {
      for (let bad = requests[next++]; bad; bad = requests[next++]) {
        const { url } = (bad.isGuarded ? this.#guarded : this.#open) as Running // started
        const answer = await send(url, bad.pieces, bad.ending).catch((error: Error) => error.message)
        const fault = typeof answer === 'string' ? answer : faultOf(bad, answer)
        if (fault !== undefined) faults.push(`${bad.what}: ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return faults
  }

  /** Answers about what no bad request names, of both processes: they must not change. */
  async answers(): Promise<unknown[]> {
    const asked = [
      ['models/untouched/predict', { text: 'Old ships', top: 5 }],
      ['indexes/untouched/search', { vector: [1, 0.3] }],
      ['collections/untouched/search', { text: 'tallinn' }],
      ['memories/untouched/query', { key: 'the disk is full' }],
    ] as const
    const all = [this.#open, this.#guarded].flatMap(service =>
      asked.map(([path, body]) => ask(service as Running, path, body)),
    )
    return Promise.all(all)
  }

  /** What the open service says of itself. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.#open?.url}/metrics`)).text()
  }

  /** Asks both to end, and tells how they did and what they complained of. */
  async stop(): Promise<{ exit: unknown; stderr: string }[]> {
    const both = [this.#open, this.#guarded].filter(service => service !== undefined)
    const ends = both.map(async ({ child, exit, stderr }) => {
      child.kill('SIGTERM')
      return { exit: await exit, stderr: await stderr }
    })
    return Promise.all(ends)
  }

  async remove(): Promise<void> {
    for (const service of [this.#open, this.#guarded]) service?.child.kill('SIGKILL')
    for (const files of this.#files) await files.remove()
    await rm(this.#folder, { recursive: true, force: true })
    this.#command.remove()
  }
}

async function ask({ url }: Running, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer reader-reader-reader' }
  const response = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { micros: _, ...answer } = (await response.json()) as Record<string, unknown>
  return { status: response.status, ...answer }
}

function faultOf({ expected, ending }: BadRequest, answer: Answer | undefined): string | undefined {
  if (expected === 'gone') return undefined
  // Whoever closed its side may find the other side closed.
  if (!answer) return ending === 'half-closes' ? undefined : 'the connection ended without an answer'
  const { status, body } = answer
  const shown = `${status} ${answer.type} ${body.slice(0, 200)}`
  if (!(status >= 200 && status < 500)) return shown
  if (expected === 'mcp') return undefined
  if (status >= 400) return isProblem(answer) ? undefined : shown
  if (expected === 'stream') return /\{"error":\{.*"status":4\d\d.*\}\}\n$/.test(body) ? undefined : shown
  return expected === 'fair' ? undefined : shown
}

function isProblem({ status, type, body }: Answer): boolean {
  if (type !== 'application/problem+json') return false
  const problem = JSON.parse(body)
  return (
    problem.status === status &&
    [problem.code, problem.title, problem.detail].every(text => typeof text === 'string' && text !== '')
  )
}
