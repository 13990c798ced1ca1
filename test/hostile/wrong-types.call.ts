// What a public call is to the test of wrong types, and good values to begin with.

import * as core from './core-names.ts'

/** One call: its arguments are good ones. An argument that is `options` stands for the call's options. */
export interface Call {
  readonly name: string
  readonly args: readonly unknown[]
  run(...args: unknown[]): unknown
  /** What answers alike before and after a call that was refused. Default: the shared engine's memory works. */
  readonly probe?: () => unknown
}

/** Stands where options go; what it holds is needed by the call. */
export class Options {
  readonly needed: object
  constructor(needed: object = {}) {
    this.needed = needed
  }
}

/** Of anything: a call by its name. */
export type Callable = Readonly<Record<string, (...args: unknown[]) => unknown>>

export const rows = Array.from({ length: 12 }, (_, i) => [i % 3, i % 4, 1 + i])
export const dense = core.DenseMatrix.from(rows)
export const sparse = core.SparseMatrix.from(Array.from({ length: 12 }, (_, i) => [[i % 3, 1], [3 + (i % 4), 2]])) // biome-ignore format: rows as rows
export const texts = Array.from({ length: 12 }, (_, i) => `word${i % 3} other${i % 2}`)
export const labels = core.LabelMatrix.from(texts.map((_, i) => [i % 2]))
export const dataset = { name: 'data', rows: 12, texts, labels, labelNames: ['even', 'odd'] }
export const items = texts.map((text, i) => ({ id: i, text, labels: [i % 2 ? 'odd' : 'even'] }))
export const ranked = {
  ...{ rows: 12, top: 2, labels: new Uint32Array(24), scores: new Float32Array(24).fill(0.5) },
  counts: new Uint32Array(12).fill(1),
}
export const found = {
  ...{ queries: 12, k: 1, rows: new Uint32Array(12), distances: new Float32Array(12) },
  counts: new Uint32Array(12).fill(1),
}
export const bytes = () => new TextEncoder().encode('{"text": "a", "labels": ["b"]}\n')
export const options = new Options()
/** Its distances are of anything: an error that it threw would be the caller's own. */
export const gap = { name: 'gap', distance: (a: unknown, b: unknown) => (Object.is(a, b) ? 0 : 1) }

/** The methods of an object, each with its arguments. */
export function methods(
  prefix: string,
  target: object,
  calls: Readonly<Record<string, readonly unknown[]>>,
  probe?: () => unknown,
): Call[] {
  return Object.entries(calls).map(([name, args]) => ({
    ...{ name: `${prefix}.${name}`, args },
    run: (...given) => (target as Callable)[name]?.(...given),
    ...(probe && { probe }),
  }))
}

export function functions(calls: Readonly<Record<string, readonly unknown[]>>, from: object): Call[] {
  return Object.entries(calls).map(([name, args]) => ({
    name,
    args,
    run: (...given) => (from as Callable)[name]?.(...given),
  }))
}

/** `new X(…)`. */
export function maker(name: string, type: unknown, args: readonly unknown[]): Call {
  const Type = type as new (...args: unknown[]) => unknown
  return { name: `new ${name}`, args, run: (...given) => new Type(...given) }
}
