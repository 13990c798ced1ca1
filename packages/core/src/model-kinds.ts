// What a model file can hold, by the method that its header names, and which class loads it. A whole file of another method is not
// damaged: the message says what it holds and how to load it.

import { assert, EngineError, quoted } from './errors.ts'

interface ModelKind {
  /** The class whose `load` reads it. */
  readonly name: string
  /** The entry point that exports the class, if that is not the main one. */
  readonly entry?: string
}

const lcif = { name: 'LcifClassifier' }
const trees = { name: 'ForestClassifier' }
const margin = '@vicinal/core/margin'
const memory = '@vicinal/core/memory'

/** By method. Those of other packages are missing here. */
const kinds: ReadonlyMap<string, ModelKind> = new Map<string, ModelKind>([
  ['exact', { name: 'ExactIndex' }],
  ['forest', { name: 'ForestIndex' }],
  ['inverted', { name: 'InvertedIndex' }],
  ['sparse-forest', { name: 'SparseForestIndex' }],
  ['net', { name: 'NetIndex', entry: margin }],
  ...['lcif', 'instance', 'feature'].map(method => [method, lcif] as const),
  ...['gpt', 'forest-labels'].map(method => [method, trees] as const),
  ['margin', { name: 'MarginClassifier', entry: margin }],
  ['memory-labels', { name: 'MemoryClassifier', entry: memory }],
  ['memory', { name: 'MemoryTree', entry: memory }],
  ['collection', { name: 'Collection', entry: '@vicinal/core/collection' }],
])

/** Refuses contents of a method other than `allowed`. `name` is what messages call the file. */
export function requireMethod(contents: { readonly method: string }, name: string, ...allowed: string[]): void {
  if (allowed.includes(contents.method)) return
  throw otherModel(contents.method, name, allowed.map(method => kinds.get(method)?.name ?? method)[0] ?? 'model')
}

/** The error for a file that holds something else than what the caller wanted: a class, an 'index' or a 'classifier'. */
export function otherModel(method: string, name: string, wanted: string): EngineError {
  const found = kinds.get(method)
  const held = found ? withArticle(found.name) : `a model of the unknown method ${quoted(method)}`
  return new EngineError('UNKNOWN_NAME', `holds ${held}, not ${withArticle(wanted)}`, {
    where: { file: name },
    hint: found
      ? loadHint(found)
      : 'If a package of yours adds this method, register it first; then use `loadIndex()` or `loadClassifier()`.',
  })
}

/** The error for a file of a kind that nobody registered, in the words of `registerIndexKind` or `registerMethod`. */
export function unregistered(method: string, name: string, register: string): EngineError {
  const held = kinds.get(method)
  assert(held !== undefined, `no class is known for the method ${method}`)
  return new EngineError('UNKNOWN_NAME', `holds ${withArticle(held.name)}, which is not registered`, {
    where: { file: name },
    hint: `Load it with \`${held.name}.load()\`${held.entry ? ` from ${held.entry}` : ''}, or call ${register}() first.`,
  })
}

/** Whether a method's files hold an index, a classifier, or something else. */
export function jobOf(method: string): 'index' | 'classifier' | undefined {
  const name = kinds.get(method)?.name ?? ''
  if (name.endsWith('Index')) return 'index'
  return name.endsWith('Classifier') ? 'classifier' : undefined
}

function loadHint({ name, entry }: ModelKind): string {
  const own = `\`${name}.load()\`${entry ? ` (from ${entry})` : ''}`
  if (name.endsWith('Index')) return `Load it with ${own} or \`loadIndex()\`.`
  if (name.endsWith('Classifier')) return `Load it with ${own} or \`loadClassifier()\`.`
  return `Load it with ${own}.`
}

function withArticle(noun: string): string {
  return /^[aeiou]/i.test(noun) || noun.startsWith('Lcif') ? `an ${noun}` : `a ${noun}`
}
