// Classifiers by the name of their method, for commands, servers and model files. A new classifier is one more line here.

import type { LabeledItems } from '../data/given/labeled.ts'
import { EngineError, quoted } from '../errors.ts'
import type { MetricName } from '../evaluate/metrics.ts'
import { readAhead } from '../ids/load-ahead.ts'
import { type LoadOptions, loadOptions } from '../kernels/engine.ts'
import { jobOf, otherModel, unregistered } from '../model-kinds.ts'
import { checkFunction, checkHolder, checkObject, checkOptions, checkText } from '../options.ts'
import type { ModelContents } from '../store/header.ts'
import type { ModelBytes } from '../store/open-model.ts'
import { contentsOf } from '../store/saveable.ts'
import type { Classifier } from './classifier.ts'
import { storedForest } from './forest/contents.ts'
import { ForestClassifier } from './forest/forest-classifier.ts'
import { type ForestClassifierOptions, forestClassifierDefaults } from './forest/options.ts'
import { tuneForest } from './forest/tuner.ts'
import { LcifClassifier } from './lcif/lcif-classifier.ts'
import { type LcifMethod, type LcifOptions, lcifDefaults, lcifMethods } from './lcif/options.ts'
import { tuneLcif } from './lcif/tuning.ts'
import type { MarginOptions } from './margin/options.ts'
import type { MemoryClassifierOptions } from './memory/options.ts'
import type { FitOptions } from './options.ts'
import type { TuningResult } from './tuning/result.ts'

/** Options by name; the method checks them. */
type NamedOptions = Readonly<Record<string, unknown>>

/** The options of the built-in methods, by name. */
export interface MethodOptions {
  readonly lcif: Omit<LcifOptions, 'method'>
  readonly instance: Omit<LcifOptions, 'method'>
  readonly feature: Omit<LcifOptions, 'method'>
  readonly gpt: Omit<ForestClassifierOptions, 'grower'>
  readonly forest: ForestClassifierOptions
  readonly margin: MarginOptions
  readonly memory: MemoryClassifierOptions
}

/** A registered classification method: how to fit, tune and load it by name. `Options` are its options and those that tuning finds, if known. */
export interface Method<Options extends object = NamedOptions, Found extends object = object> {
  readonly name: string
  /** Its name in model files. */
  readonly stored: string
  /** Every option with its default. */
  readonly defaults: NamedOptions
  /** Fits a classifier by this method. */
  fit(items: LabeledItems, options?: Options & FitOptions): Promise<Classifier>
  /** Finds the options that suit the data best by `metric`; options that are given stay. */
  tune(
    items: LabeledItems,
    options: Options & FitOptions & { readonly metric: MetricName },
  ): Promise<TuningResult<Found>>
  /** Restores the contents of a model file; errors refer to it by `name`. */
  load(contents: ModelContents, place: LoadOptions & { readonly name?: string }): Classifier | Promise<Classifier>
}

const methods: Method[] = [...lcifMethods.map(lcifMethod), forestMethod('gpt'), forestMethod('forest')]

/** Registers a method: your own, or one from a separate entry point. */
export function registerMethod(method: Method): void {
  checkMethod(method)
  if (methods.some(({ name, stored }) => name === method.name || stored === method.stored)) {
    throw new EngineError('INVALID_OPTION', `there is already a method called ${method.name}`)
  }
  methods.push(method)
}

function checkMethod(method: Method): void {
  checkObject('method', method, 'a method with a name')
  for (const part of ['name', 'stored'] as const) checkText(`method.${part}`, method[part])
  checkObject('method.defaults', method.defaults, 'an object of options')
  for (const part of ['fit', 'tune', 'load'] as const) checkFunction(`method.${part}`, method[part])
}

/** The names of all registered methods. */
export function methodNames(): string[] {
  return methods.map(({ name }) => name)
}

/** The method with this name. If there is none, throws an error that lists the known ones. */
export function findMethod<Name extends keyof MethodOptions>(
  name: Name,
): Method<MethodOptions[Name], MethodOptions[Name]>
export function findMethod(name: string): Method
export function findMethod(name: string): Method {
  const found = methods.find(method => method.name === name)
  if (found) return found
  throw new EngineError('UNKNOWN_NAME', `unknown method ${quoted(name)}`, {
    hint: `Known: ${methodNames().join(', ')}.`,
  })
}

/** Loads a classifier of any method, from a path or from bytes. */
export async function loadClassifier(source: string | ModelBytes, options: LoadOptions = {}): Promise<Classifier> {
  checkOptions(options, loadOptions)
  const { contents, name } = await contentsOf(source)
  const found = methods.find(({ stored }) => stored === contents.method)
  await readAhead(contents, { signal: options.signal })
  if (found) return found.load(contents, { ...options, name })
  if (jobOf(contents.method) === 'classifier') throw unregistered(contents.method, name, 'registerMethod')
  throw otherModel(contents.method, name, 'classifier')
}

/** 'gpt' has the graph grower and no other; 'forest' has the quickest one, unless another is given. */
function forestMethod(name: 'gpt' | 'forest'): Method {
  const { grower: _, ...others } = forestClassifierDefaults
  const defaults = name === 'gpt' ? others : { grower: 'kd', ...others }
  const chosen = (options: NamedOptions) => {
    checkHolder(options)
    return { ...(name === 'forest' && { grower: 'kd' as const }), ...options }
  }
  return {
    ...{ name, stored: name === 'gpt' ? name : storedForest, defaults: Object.freeze(defaults) },
    fit: (dataset, options = {}) => ForestClassifier.fit(dataset, chosen(options)),
    tune: (dataset, options) => tuneForest(dataset, { ...chosen(options), metric: options.metric }),
    load: (contents, { signal: _, ...place }) => ForestClassifier.fromContents(contents, place),
  }
}

function lcifMethod(method: LcifMethod): Method {
  return {
    ...{ name: method, stored: method, defaults: Object.freeze({ ...lcifDefaults, method }) },
    fit: (dataset, options = {}) => LcifClassifier.fit(dataset, { ...options, method }),
    tune: (dataset, options) => tuneLcif(dataset, { ...options, method }),
    load: (contents, { signal: _, ...place }) => LcifClassifier.fromContents(contents, place),
  }
}
