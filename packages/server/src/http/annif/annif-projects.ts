// Models in the shapes of Annif: as projects, and their suggestions as subjects.

import { z } from 'zod'
import type { ServiceCalls } from '../../service/service.ts'
import { timed } from '../routes.ts'
import type { HttpSettings } from '../settings.ts'

interface Described {
  readonly method: string
  readonly labels: number
  readonly modifiedAt: number
  readonly language?: string
  readonly languages?: readonly string[]
}

interface Suggested {
  readonly label: string
  readonly name?: string
  readonly notation?: string
  readonly score: number
}

/** In a form or a query, numbers are texts; an empty text is no number. */
function numeric(shape: z.ZodNumber, otherwise: number): z.ZodType<number> {
  return z.union([shape, z.string().trim().min(1).pipe(z.coerce.number()).pipe(shape)]).default(otherwise) as never // a number either way
}

export const suggestOptions = z.object({
  limit: numeric(z.number().int().min(0).max(1000), 10),
  threshold: numeric(z.number().min(0).max(1), 0),
  language: z.string().optional(),
})

/** The language of a model without a vocabulary: undetermined, as BCP 47 writes it. Annif's clients expect a text. */
const noLanguage = 'und'

export class AnnifProjects {
  readonly #service: ServiceCalls
  readonly #settings: HttpSettings

  constructor(service: ServiceCalls, settings: HttpSettings) {
    this.#service = service
    this.#settings = settings
  }

  projects(): Promise<object[]> {
    return Promise.all(this.#models().map(name => this.project(name)))
  }

  /** Each model has its own. */
  async vocabularies(): Promise<object[]> {
    const all = await Promise.all(this.#models().map(async name => vocabularyOf(name, await this.#describe(name))))
    return all.filter(vocabulary => vocabulary !== null)
  }

  async project(name: string): Promise<object> {
    const described = await this.#describe(name)
    const { method, modifiedAt } = described
    const language = described.language || undefined // names in a TSV file have no language
    return {
      ...{ project_id: name, name, language: language ?? noLanguage, backend: { backend_id: method } },
      ...{ vocab: vocabularyOf(name, described), vocab_language: language ?? null },
      ...{ is_trained: true, modification_time: new Date(modifiedAt).toISOString() },
    }
  }

  async suggest(
    project: string,
    text: string,
    { limit, threshold, language }: z.output<typeof suggestOptions>,
  ): Promise<object[]> {
    const { labels } = (await this.#call(project, 'predict', {
      ...{ text, top: Math.max(limit, 1) },
      ...(language !== undefined && { language }),
    })) as { labels: readonly Suggested[] }
    return labels
      .slice(0, limit)
      .filter(({ score }) => score > 0 && score >= threshold)
      .map(({ label, name = label, notation = null, score }) => ({ uri: label, label: name, notation, score }))
  }

  async learn(project: string, items: readonly object[]): Promise<void> {
    if (items.length === 0) await this.#describe(project)
    else await this.#call(project, 'learn', { items })
  }

  #models(): string[] {
    return this.#service.served.filter(({ kind }) => kind === 'model').map(({ name }) => name)
  }

  async #describe(name: string): Promise<Described> {
    return (await this.#call(name, 'describe', {})) as Described // as its shape says
  }

  async #call(project: string, operation: string, input: object): Promise<unknown> {
    return JSON.parse(await timed(this.#service, { kind: 'model', name: operation }, project, input, this.#settings))
  }
}

function vocabularyOf(name: string, { languages, labels }: Described): object | null {
  return languages ? { vocab_id: name, languages, size: labels, loaded: true } : null
}
