// What a model file can hold, by the method that its header names, and which class loads it. A whole file of another method is not
// damaged: the message says what it holds and how to load it.

import { assert, EngineError, quoted } from './errors.ts'

/** The classes whose `load` reads the files, by method. Those of other packages are missing here. */
const classes: Readonly<Record<string, string>> = {
  exact: 'ExactIndex',
  forest: 'ForestIndex',
  inverted: 'InvertedIndex',
  'sparse-forest': 'SparseForestIndex',
  net: 'NetIndex',
  lcif: 'LcifClassifier',
  instance: 'LcifClassifier',
  feature: 'LcifClassifier',
  gpt: 'ForestClassifier',
  'forest-labels': 'ForestClassifier',
  margin: 'MarginClassifier',
  'memory-labels': 'MemoryClassifier',
  memory: 'MemoryTree',
  collection: 'Collection',
}

/** The entry points of classes that the main one does not export. */
const entries: Readonly<Record<string, string>> = {
  net: 'margin',
  margin: 'margin',
  'memory-labels': 'memory',
  memory: 'memory',
  collection: 'collection',
}

/** Of a method that is known; files may name anything, also what every object has. */
function classOf(method: string): string | undefined {
  return Object.hasOwn(classes, method) ? classes[method] : undefined
}

/** Refuses contents of a method other than `allowed`. `name` is what messages call the file. */
export function requireMethod(contents: { readonly method: string }, name: string, ...allowed: string[]): void {
  if (allowed.includes(contents.method)) return
  throw otherModel(contents.method, name, classOf(allowed[0]) ?? allowed[0])
}

/** The error for a file that holds something else than what the caller wanted: a class, an 'index' or a 'classifier'. */
export function otherModel(method: string, name: string, wanted: string): EngineError {
  const found = classOf(method)
  const held = found ? withArticle(found) : `a model of the unknown method ${quoted(method)}`
  return new EngineError('UNKNOWN_NAME', `holds ${held}, not ${withArticle(wanted)}`, {
    where: { file: name },
    hint: found
      ? loadHint(found, entries[method])
      : 'If a package of yours adds this method, register it first; then use `loadIndex()` or `loadClassifier()`.',
  })
}

/** The error for a file of a kind that nobody registered, in the words of `registerIndexKind` or `registerMethod`. */
export function unregistered(method: string, name: string, register: string): EngineError {
  const held = classOf(method)
  const entry = entries[method]
  assert(held !== undefined, `no class is known for the method ${method}`)
  return new EngineError('UNKNOWN_NAME', `holds ${withArticle(held)}, which is not registered`, {
    where: { file: name },
    hint: `Load it with \`${held}.load()\`${entry ? ` from @vicinal/core/${entry}` : ''}, or call ${register}() first.`,
  })
}

/** Whether a method's files hold an index, a classifier, or something else. */
export function jobOf(method: string): 'index' | 'classifier' | undefined {
  const name = classOf(method) ?? ''
  if (name.endsWith('Index')) return 'index'
  return name.endsWith('Classifier') ? 'classifier' : undefined
}

function loadHint(name: string, entry: string | undefined): string {
  const own = `\`${name}.load()\`${entry ? ` (from @vicinal/core/${entry})` : ''}`
  const [any] = ['Index', 'Classifier'].filter(job => name.endsWith(job))
  return `Load it with ${own}${any ? ` or \`load${any}()\`` : ''}.`
}

function withArticle(noun: string): string {
  return /^[aeiou]/i.test(noun) || noun.startsWith('Lcif') ? `an ${noun}` : `a ${noun}`
}
