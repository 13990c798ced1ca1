// The tools of an agent: remember, recall, reward, forget, list_memories, suggest_labels, explain_label, search. Each makes one call of
// the service and answers briefly. A tool is offered if something that it needs is served.

import { EngineError, type Json } from '@vicinal/core'
import { z } from 'zod'
import type { ServedKind } from '../service/served.ts'
import type { ServiceCalls } from '../service/service.ts'
import { askedAbout } from './plain-words.ts'
import { type Found, related, shortDocument, shortExplanation, shortMemory, withoutDuplicates } from './short.ts'

export interface ToolSettings {
  /** The only namespace that the tools see. Default: the agent names one, or none. */
  readonly namespace?: string
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  /** Whether it changes nothing. */
  readonly readOnly: boolean
  run(input: never): Promise<object>
}

interface Stored {
  readonly id: string | number
  readonly namespace?: string
}

const id = z
  .union(
    [z.string(), z.number()],
    'expected the id of a memory (a string or a number), as remember, recall and list_memories return it',
  )
  .describe('The id of a memory, from remember, recall or list_memories.')

/** The tools for what is served, in a fixed order. */
export function toolsFor(service: ServiceCalls, settings: ToolSettings = {}): Tool[] {
  const tools = new Tools(service, settings)
  return [...tools.memory(), ...tools.model(), ...tools.collection()]
}

class Tools {
  readonly #service: ServiceCalls
  readonly #settings: ToolSettings

  constructor(service: ServiceCalls, settings: ToolSettings) {
    this.#service = service
    this.#settings = settings
  }

  memory(): Tool[] {
    const where = this.#nameField('memory')
    if (!where) return []
    const namespace =
      this.#settings.namespace === undefined
        ? {
            namespace: z
              .string()
              .min(1)
              .optional()
              .describe('Whose memories: a user or a project. Default: memories without a namespace.'),
          }
        : {}
    return [
      tool({
        ...{ name: 'remember', title: 'Remember', readOnly: false },
        description: 'Store a fact, an event or something learned, to recall it later by its words. Returns its id.',
        input: z.strictObject({
          text: z.string().min(1).describe('What to remember, in a sentence or two.'),
          value: z.unknown().optional().describe('Anything to keep with it, such as a fix or a link.'),
          ...namespace,
          ...where,
        }),
        run: ({ text, value = null, ...rest }) => {
          const input = { key: text, value, ...this.#space(rest) }
          return this.#call('memory', rest.memory, 'insert', input)
        },
      }),
      tool({
        ...{ name: 'recall', title: 'Recall', readOnly: true },
        description:
          'Find the few stored memories that help most with a question, best first; none if nothing is related. Memories are found by the words they share with the query, so use the words that the memory would have. Whole questions do in English, Finnish, French, German, Russian and Spanish; in other languages give only the words that matter, without articles and question words. score is the expected reward, from 0 to 1: above 0.5 a memory is about the same thing, below 0.2 it only shares a word. Reward what helped.',
        input: z.strictObject({
          query: z.string().describe('A question or a few words.'),
          k: z.number().int().min(1).max(20).default(5).describe('How many at most.'),
          minScore: z.number().min(0).max(1).default(0.1).describe('Only memories with this score or more.'),
          ...namespace,
          ...where,
        }),
        run: async ({ query, k, minScore, ...rest }) => {
          const input = { key: askedAbout(query), k: 4 * k, minScore, ...this.#space(rest) } // more, because duplicates are left out
          const { hits } = await this.#call<{ hits: Found[] }>('memory', rest.memory, 'query', input)
          return { memories: withoutDuplicates(related(hits)).slice(0, k).map(shortMemory) }
        },
      }),
      tool({
        ...{ name: 'reward', title: 'Reward', readOnly: false },
        description:
          'Say how much a recalled memory helped with the query: 1 solved it, 0 was useless. Later recalls learn from it.',
        input: z.strictObject({
          id,
          query: z.string().min(1).describe('The query that recalled it.'),
          reward: z.number().min(0).max(1),
          ...namespace,
          ...where,
        }),
        run: async ({ id, query, reward, ...rest }) => {
          const stored = await this.#own(rest, id)
          const hit = { id: stored.id, query: { key: askedAbout(query) } }
          await this.#call('memory', rest.memory, 'reward', { hit, reward })
          return { rewarded: stored.id }
        },
      }),
      tool({
        ...{ name: 'forget', title: 'Forget', readOnly: false },
        description: 'Remove a memory for good.',
        input: z.strictObject({ id, ...namespace, ...where }),
        run: async ({ id, ...rest }) => {
          const stored = await this.#own(rest, id)
          return this.#call('memory', rest.memory, 'remove', { id: String(stored.id) })
        },
      }),
      tool({
        ...{ name: 'list_memories', title: 'List memories', readOnly: true },
        description: 'List memories page by page, newest first, to look through them or clean up.',
        input: z.strictObject({
          limit: z.number().int().min(1).max(50).default(20),
          offset: z.number().int().min(0).default(0),
          order: z.enum(['newest', 'oldest', 'reward']).default('newest'),
          ...namespace,
          ...where,
        }),
        run: async ({ limit, offset, order, ...rest }) => {
          const input = { limit, offset, order, namespace: this.#space(rest).namespace ?? null }
          const { memories, count } = await this.#call<{
            memories: Parameters<typeof shortMemory>[0][]
            count: number
          }>('memory', rest.memory, 'list', input)
          return { memories: memories.map(shortMemory), count }
        },
      }),
    ]
  }

  model(): Tool[] {
    const where = this.#nameField('model')
    if (!where) return []
    return [
      tool({
        ...{ name: 'suggest_labels', title: 'Suggest labels', readOnly: true },
        description:
          'Suggest labels (subjects, tags) for a text, best first, from the vocabulary that the model was trained on.',
        input: z.strictObject({ text: z.string().min(1), top: z.number().int().min(1).max(50).default(5), ...where }),
        run: ({ text, top, ...rest }) => this.#call('model', rest.model, 'predict', { text, top }),
      }),
      tool({
        ...{ name: 'explain_label', title: 'Explain a label', readOnly: true },
        description:
          'Why a text gets a label: the most similar training texts with that label, and the words that support it.',
        input: z.strictObject({
          text: z.string().min(1),
          label: z.string().optional().describe('Default: the best label.'),
          ...where,
        }),
        run: async ({ text, label, ...rest }) => {
          const input = { text, ...(label !== undefined && { label }) }
          return shortExplanation(await this.#call<never>('model', rest.model, 'explain', input))
        },
      }),
    ]
  }

  collection(): Tool[] {
    const where = this.#nameField('collection')
    if (!where) return []
    return [
      tool({
        ...{ name: 'search', title: 'Search documents', readOnly: true },
        description: 'Find stored documents by words, best first.',
        input: z.strictObject({
          text: z.string().min(1),
          k: z.number().int().min(1).max(20).default(5),
          filter: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('Conditions on metadata, such as { "year": { "gte": 1990 } }.'),
          ...where,
        }),
        run: async ({ text, k, filter, ...rest }) => {
          const input = { text, k, typos: true, ...(filter && { filter }) }
          const { hits } = await this.#call<{ hits: Parameters<typeof shortDocument>[0][] }>(
            'collection',
            rest.collection,
            'search',
            input,
          )
          return { documents: hits.map(shortDocument) }
        },
      }),
    ]
  }

  /** A field for the name, if several are served; undefined if nothing of this kind is. */
  #nameField(kind: ServedKind): Record<string, z.ZodType<string | undefined>> | undefined {
    const names = this.#names(kind)
    if (names.length === 0) return undefined
    return names.length === 1 ? {} : { [kind]: z.enum(names as [string, ...string[]]).describe(`Which ${kind}.`) }
  }

  #names(kind: ServedKind): string[] {
    return this.#service.served.filter(one => one.kind === kind).map(({ name }) => name)
  }

  /** The namespace of the configuration, or else of the agent. */
  #space(given: { readonly namespace?: unknown }): { namespace?: string } {
    const namespace = this.#settings.namespace ?? given.namespace
    return typeof namespace === 'string' ? { namespace } : {}
  }

  /** The memory, if it is one that the agent may see. */
  async #own(given: { readonly memory?: unknown; readonly namespace?: unknown }, id: string | number): Promise<Stored> {
    const memory = await this.#call<{ memory: Stored }>('memory', given.memory, 'get', { id: String(id) }).then(
      found => found.memory,
      error => {
        if (error instanceof EngineError && error.status === 404) return undefined
        throw error
      },
    )
    if (memory && memory.namespace === this.#space(given).namespace) return memory
    throw new EngineError('UNKNOWN_NAME', `there is no memory ${JSON.stringify(id)} here`, {
      hint: 'Use an id that recall or list_memories returned, with the same namespace.',
    })
  }

  async #call<Answer extends object = object>(
    kind: ServedKind,
    name: unknown,
    operation: string,
    input: object,
  ): Promise<Answer> {
    const served = typeof name === 'string' ? name : (this.#names(kind)[0] ?? '')
    return JSON.parse(await this.#service.call(kind, served, operation, input)) as Answer // as the operation's shape says
  }
}

/** Infers the input of `run` from the shape. */
function tool<Input extends z.ZodObject>(
  given: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input
    run(
      input: z.output<Input> & { readonly [Name in 'memory' | 'model' | 'collection' | 'namespace']?: Json },
    ): Promise<object>
  },
): Tool {
  return given as unknown as Tool // called with what its shape has let through
}
