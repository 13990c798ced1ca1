// The REST interface of Annif, for clients that were written for it: they change the address and nothing else. A project is a model.

import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { ServiceCalls } from '../service/service.ts'
import { bodyChunks, decode, readJson } from './body.ts'
import { checkToken } from './guard.ts'
import { HttpProblem } from './problem.ts'
import { timed } from './routes.ts'
import type { HttpSettings } from './settings.ts'

interface Described {
  readonly method: string
  readonly language?: string
}

interface Suggested {
  readonly label: string
  readonly name?: string
  readonly score: number
}

/** Annif's own limit. */
const mostDocuments = 32

const asked = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  threshold: z.coerce.number().min(0).max(1).default(0),
  language: z.string().optional(),
})

const documents = z.object({
  documents: z.array(z.object({ document_id: z.string().nullish(), text: z.string() })).max(mostDocuments),
})

const indexed = z
  .array(
    z.object({
      text: z.string(),
      subjects: z.array(z.object({ uri: z.string().optional(), label: z.string().optional() })),
    }),
  )
  .min(1)
  .max(1000)

export function addAnnifRoutes(app: Hono, service: ServiceCalls, settings: HttpSettings): void {
  const annif = new Annif(service, settings)
  const guarded =
    (access: 'read' | 'write', answer: (context: Context, project: string) => Promise<Response>) =>
    (context: Context) => {
      checkToken(context.req.header('authorization'), settings.tokens, access)
      return answer(context, context.req.param('project') ?? '')
    }
  app.get(
    '/v1/projects',
    guarded('read', async context => context.json({ projects: await annif.projects() })),
  )
  app.get(
    '/v1/projects/:project',
    guarded('read', async (context, project) => context.json(await annif.project(project))),
  )
  app.post(
    '/v1/projects/:project/suggest',
    guarded('read', async (context, project) => {
      const { text = '', ...options } = await annif.form(context)
      return context.json({ results: await annif.suggest(project, text, parsed(asked, options)) })
    }),
  )
  app.post(
    '/v1/projects/:project/suggest-batch',
    guarded('read', async (context, project) => {
      const given = parsed(documents, await readJson(context.req.raw, settings))
      const options = parsed(asked, context.req.query())
      const answers = given.documents.map(async ({ document_id = null, text }) => ({
        document_id,
        results: await annif.suggest(project, text, options),
      }))
      return context.json(await Promise.all(answers))
    }),
  )
  app.post(
    '/v1/projects/:project/learn',
    guarded('write', async (context, project) => {
      await annif.learn(project, parsed(indexed, await readJson(context.req.raw, settings)))
      return context.body(null, 204)
    }),
  )
  // Annif says null for a language it cannot tell.
  app.post(
    '/v1/detect-language',
    guarded('read', async context => {
      await readJson(context.req.raw, settings)
      return context.json({ results: [{ language: null, score: 1 }] })
    }),
  )
}

class Annif {
  readonly #service: ServiceCalls
  readonly #settings: HttpSettings

  constructor(service: ServiceCalls, settings: HttpSettings) {
    this.#service = service
    this.#settings = settings
  }

  projects(): Promise<object[]> {
    return Promise.all(
      this.#service.served.filter(({ kind }) => kind === 'model').map(({ name }) => this.project(name)),
    )
  }

  async project(name: string): Promise<object> {
    const { method, language = null } = (await this.#call(name, 'describe', {})) as Described
    return {
      project_id: name,
      name,
      language,
      backend: { backend_id: method },
      is_trained: true,
      modification_time: null,
    }
  }

  async suggest(
    project: string,
    text: string,
    { limit, threshold, language }: z.output<typeof asked>,
  ): Promise<object[]> {
    const { labels } = (await this.#call(project, 'predict', {
      text,
      top: limit,
      ...(language !== undefined && { language }),
    })) as { labels: readonly Suggested[] }
    return labels
      .filter(({ score }) => score > 0 && score >= threshold)
      .map(({ label, name = label, score }) => ({ uri: label, label: name, notation: null, score }))
  }

  async learn(project: string, documents: z.output<typeof indexed>): Promise<void> {
    const items = documents.map(({ text, subjects }) => ({ text, labels: subjects.map(labelOf) }))
    await this.#call(project, 'learn', { items })
  }

  /** Annif's clients send forms; JSON with the same fields is taken too. */
  async form(context: Context): Promise<Record<string, string>> {
    const type = context.req.header('content-type') ?? ''
    if (type.startsWith('application/json')) {
      return parsed(z.record(z.string(), z.coerce.string()), await readJson(context.req.raw, this.#settings))
    }
    if (!type.startsWith('application/x-www-form-urlencoded')) {
      throw new HttpProblem(
        415,
        'NOT_A_FORM',
        `the content type is ${JSON.stringify(type)}, expected application/x-www-form-urlencoded`,
      )
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of bodyChunks(context.req.raw, this.#settings)) chunks.push(chunk)
    return Object.fromEntries(new URLSearchParams(decode(Buffer.concat(chunks))))
  }

  async #call(project: string, operation: string, input: object): Promise<unknown> {
    return JSON.parse(await timed(this.#service, { kind: 'model', name: operation }, project, input, this.#settings))
  }
}

function labelOf({ uri, label }: { readonly uri?: string | undefined; readonly label?: string | undefined }): string {
  const found = uri ?? label
  if (found !== undefined) return found.replace(/^<(.*)>$/, '$1')
  throw new HttpProblem(400, 'BAD_JSON', 'a subject has neither uri nor label')
}

function parsed<T extends z.ZodType>(shape: T, given: unknown): z.output<T> {
  const result = shape.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new HttpProblem(400, 'INVALID_OPTION', `${issue?.path.map(String).join('.') || 'the body'}: ${issue?.message}`)
}
