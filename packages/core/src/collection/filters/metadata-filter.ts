// Filters on metadata: conditions on its values, or a function of the document. A list, such as tags, meets a condition if one of its
// members does. Numbers compare with numbers and texts with texts; ISO dates sort by time.

import { isYes } from '../../callback-answers.ts'
import { EngineError, shown } from '../../errors.ts'
import { didYouMean } from '../../nearest-names.ts'
import type { StoredDocument } from '../document.ts'

/** A value that metadata can be compared with. */
export type Primitive = string | number | boolean | null

/** What conditions compare: the members of a list, otherwise the value itself. Objects can only be asked whether they exist. */
type Comparable<Value> = Extract<Value extends readonly (infer One)[] ? One : Value, Primitive>
type Ordered<Value> = Extract<Value, string | number>

/** Conditions on one metadata value. All must hold. */
export interface Condition<Value> {
  /** One of these. */
  readonly in?: readonly Value[]
  /** None of these. Documents without the value pass. */
  readonly notIn?: readonly Value[]
  readonly gt?: Ordered<Value>
  readonly gte?: Ordered<Value>
  readonly lt?: Ordered<Value>
  readonly lte?: Ordered<Value>
  /** Whether the value exists. */
  readonly exists?: boolean
}

/** Conditions by metadata name; all must hold. A bare value means { in: [value] }. */
export type MetadataConditions<Metadata extends object> = {
  readonly [Name in keyof Metadata]?: Comparable<Metadata[Name]> | Condition<Comparable<Metadata[Name]>>
}

/** Which documents pass: conditions on their metadata, or a function that returns true for them. */
export type MetadataFilter<Metadata extends object> =
  | MetadataConditions<Metadata>
  | ((document: StoredDocument<Metadata>) => boolean)

/** The conditions on one value, checked. */
export interface Clause {
  readonly name: string
  readonly condition: Condition<Primitive>
  /** The members as a set, for long lists. */
  readonly among: ReadonlySet<Primitive> | undefined
  readonly notAmong: ReadonlySet<Primitive> | undefined
  /** Whether it restricts the value's members: otherwise, documents without the value may pass. */
  readonly isPositive: boolean
}

const unlessMeant = 'Leave the condition out if you mean all documents.'
/** What a condition can say. */
export const conditionWords: readonly string[] = ['in', 'notIn', 'gt', 'gte', 'lt', 'lte', 'exists']

/** The conditions of a filter that is not a function. */
export function clausesOf(filter: object): Clause[] {
  return Object.entries(filter).map(([name, wanted]) => clauseOf(name, wanted))
}

export function checkMetadataFilter(name: string, filter: unknown): void {
  if (typeof filter === 'function') return
  const tag = Object.prototype.toString.call(filter)
  if (typeof filter !== 'object' || filter === null || tag !== '[object Object]') {
    throw new EngineError('INVALID_OPTION', `${name} is ${shown(filter)}, expected conditions or a function`, {
      hint: 'Give conditions such as { year: { gte: 1990 } }, or a function of the document.',
    })
  }
  clausesOf(filter)
}

/** Whether the document meets all conditions. */
export function meetsAll(document: { readonly metadata?: object | undefined }, clauses: readonly Clause[]): boolean {
  for (const clause of clauses) if (!meets(document.metadata, clause)) return false
  return true
}

/** Calls the caller's function for a document. */
export function asks<Metadata extends object>(
  filter: (document: StoredDocument<Metadata>) => boolean,
  document: StoredDocument<Metadata>,
): boolean {
  return isYes(filter(document), 'filter')
}

/** Calls `use` with the members of a value that can be compared: itself, or those of a list. */
export function eachPrimitive(value: unknown, use: (member: Primitive) => void): void {
  if (isPrimitive(value)) use(value)
  else if (Array.isArray(value)) for (const member of value) if (isPrimitive(member)) use(member)
}

/** Every document may be asked, so it makes no objects. */
function meets(metadata: object | undefined, clause: Clause): boolean {
  const has = metadata !== undefined && Object.hasOwn(metadata, clause.name)
  const { condition, notAmong } = clause
  if (condition.exists !== undefined && condition.exists !== has) return false
  if (!has) return !clause.isPositive
  const value: unknown = metadata[clause.name as keyof typeof metadata] // one of its names
  if (Array.isArray(value)) return listMeets(value, clause)
  if (!isPrimitive(value)) return !clause.isPositive
  return !notAmong?.has(value) && (!clause.isPositive || fits(value, clause))
}

function listMeets(values: readonly unknown[], clause: Clause): boolean {
  let isMet = !clause.isPositive
  for (const member of values) {
    if (!isPrimitive(member)) continue
    if (clause.notAmong?.has(member)) return false
    isMet ||= fits(member, clause)
  }
  return isMet
}

/** Whether one member is among those wanted, and within the bounds. */
export function fits(member: Primitive, { among, condition: { gt, gte, lt, lte } }: Clause): boolean {
  if (among && !among.has(member)) return false
  if (gt !== undefined && !(typeof member === typeof gt && (member as typeof gt) > gt)) return false
  if (gte !== undefined && !(typeof member === typeof gte && (member as typeof gte) >= gte)) return false
  if (lt !== undefined && !(typeof member === typeof lt && (member as typeof lt) < lt)) return false
  return lte === undefined || (typeof member === typeof lte && (member as typeof lte) <= lte)
}

/** An undefined value is usually one that a program failed to find: without its condition, all documents would pass. */
function clauseOf(name: string, wanted: unknown): Clause {
  if (wanted === undefined || Number.isNaN(wanted)) {
    throw refused(`filter.${name} is ${shown(wanted)}, expected a value or conditions`, unlessMeant)
  }
  if (isPrimitive(wanted)) return clause(name, { in: [wanted] })
  // A Date, a Set or a Map has no conditions of its own, so that all documents would pass.
  if (typeof wanted !== 'object' || wanted === null || Object.prototype.toString.call(wanted) !== '[object Object]') {
    const list = Array.isArray(wanted) ? `Write { ${name}: { in: […] } }.` : undefined
    const hint = list ?? dateHint(wanted) ?? `Known: ${conditionWords.join(', ')}.`
    throw refused(`filter.${name} is ${shown(wanted)}, expected a value or conditions`, hint)
  }
  const condition = wanted as Condition<Primitive> // looked at word by word
  for (const [word, value] of Object.entries(wanted)) checkCondition(`filter.${name}`, word, value)
  return clause(name, condition)
}

function clause(name: string, condition: Condition<Primitive>): Clause {
  const { in: members, notIn, gt, gte, lt, lte } = condition
  return {
    ...{ name, condition, among: members && new Set(members), notAmong: notIn && new Set(notIn) },
    isPositive: members !== undefined || [gt, gte, lt, lte].some(bound => bound !== undefined),
  }
}

function dateHint(value: unknown): string | undefined {
  return value instanceof Date
    ? 'Metadata has no dates: give date.toISOString() or date.getTime(), as you stored it.'
    : undefined
}

function checkCondition(name: string, word: string, value: unknown): void {
  if (!conditionWords.includes(word)) {
    throw refused(
      `${name} has "${word}", expected ${conditionWords.join(', ')}`,
      didYouMean(word, conditionWords) ?? 'Use one of these.',
    )
  }
  if (value === undefined) throw refused(`${name}.${word} is undefined`, unlessMeant)
  if (word === 'exists') {
    if (typeof value !== 'boolean') throw refused(`${name}.exists is ${shown(value)}, expected true or false`)
  } else if (word === 'in' || word === 'notIn') {
    if (!Array.isArray(value) || !value.every(isPrimitive)) {
      throw refused(`${name}.${word} is ${shown(value)}, expected a list of texts, numbers, booleans or null`)
    }
  } else if (typeof value !== 'string' && !(typeof value === 'number' && !Number.isNaN(value))) {
    throw refused(`${name}.${word} is ${shown(value)}, expected a number or a text`, dateHint(value))
  }
}

function isPrimitive(value: unknown): value is Primitive {
  const type = typeof value
  return value === null || type === 'string' || type === 'number' || type === 'boolean'
}

function refused(message: string, hint?: string): EngineError {
  return new EngineError('INVALID_OPTION', message, { ...(hint !== undefined && { hint }) })
}
