// Annif's REST interface, for existing clients of Annif: they only change the address. A project is a model.

import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { decodeUtf8 } from '../../service/input/json-body.ts'
import type { ServiceCalls } from '../../service/service.ts'
import { readBody, readJson } from '../body.ts'
import { checkToken } from '../guard.ts'
import { HttpProblem } from '../problem.ts'
import type { HttpSettings } from '../settings.ts'
import { AnnifProjects, suggestOptions } from './annif-projects.ts'

/** Annif's own limits. */
const mostDocuments = 32
const mostLanguages = 5

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
  .max(1000)

const undetected = z.object({
  text: z.string(),
  languages: z.array(z.string().min(2).max(3)).min(1).max(mostLanguages),
})

export function addAnnifRoutes(app: Hono, service: ServiceCalls, settings: HttpSettings, version: string): void {
  const annif = new AnnifProjects(service, settings)
  const guarded =
    (access: 'read' | 'write', answer: (context: Context, project: string) => Promise<Response>) =>
    (context: Context) => {
      checkToken(context.req.header('authorization'), settings.tokens, access)
      return answer(context, context.req.param('project') ?? '')
    }
  const json = <T extends z.ZodType>(context: Context, shape: T) => parsedJson(context, shape, settings)
  const info = guarded('read', async context => context.json({ title: 'Vicinal', version }))
  app.get('/v1', info)
  app.get('/v1/', info)
  app.get(
    '/v1/vocabs',
    guarded('read', async context => context.json({ vocabs: await annif.vocabularies() })),
  )
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
      const { text, ...options } = parsed(suggestOptions.extend({ text: z.string() }), await form(context, settings))
      return context.json({ results: await annif.suggest(project, text, options) })
    }),
  )
  app.post(
    '/v1/projects/:project/suggest-batch',
    guarded('read', async (context, project) => {
      const given = await json(context, documents)
      const options = parsed(suggestOptions, context.req.query())
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
      const items = (await json(context, indexed)).map(({ text, subjects }) => ({
        text,
        labels: subjects.map(labelOf),
      }))
      await annif.learn(project, items)
      return context.body(null, 204)
    }),
  )
  // Annif answers null for an unknown language.
  app.post(
    '/v1/detect-language',
    guarded('read', async context => {
      await json(context, undetected)
      return context.json({ results: [{ language: null, score: 1 }] })
    }),
  )
}

/** Annif's clients send forms; JSON with the same fields is taken too. */
async function form(context: Context, settings: HttpSettings): Promise<unknown> {
  const type = context.req.header('content-type') ?? ''
  if (/^application\/json\b/i.test(type)) return readJson(context.req.raw, settings)
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new HttpProblem(
      415,
      'NOT_A_FORM',
      `the content type is ${JSON.stringify(type)}, expected application/x-www-form-urlencoded`,
    )
  }
  return Object.fromEntries(new URLSearchParams(decodeUtf8(await readBody(context.req.raw, settings))))
}

async function parsedJson<T extends z.ZodType>(
  context: Context,
  shape: T,
  settings: HttpSettings,
): Promise<z.output<T>> {
  return parsed(shape, await readJson(context.req.raw, settings))
}

function labelOf({ uri, label }: { readonly uri?: string | undefined; readonly label?: string | undefined }): string {
  const found = uri ?? label
  if (found !== undefined) return found.replace(/^<(.*)>$/, '$1')
  throw new HttpProblem(400, 'INVALID_OPTION', 'a subject has neither uri nor label')
}

function parsed<T extends z.ZodType>(shape: T, given: unknown): z.output<T> {
  const result = shape.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new HttpProblem(400, 'INVALID_OPTION', `${issue?.path.map(String).join('.') || 'the body'}: ${issue?.message}`)
}
