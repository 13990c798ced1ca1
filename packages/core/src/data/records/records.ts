// Makes a Dataset of records (JSON objects, Parquet rows) by the names of their fields: the text, the labels, the key
// (columns.ts), and a vector. The first record decides which fields are read; every other one must have them too.
// Records without text and vector whose other fields are all numbers have these as features.

import { EngineError, type Place } from '../../errors.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { NamedLabels } from '../rows/named-labels.ts'
import { HeapBudget, StringList } from '../rows/string-list.ts'
import { checkUntold } from '../rows/untold.ts'
import { VectorRows } from '../rows/vector-rows.ts'
import { assignRoles, type ColumnRoles, countsRows, firstKnown, labelColumnNames, listNames } from '../table/columns.ts'
import { holdsNumber, labelsOf, textOf } from './record-fields.ts'

/** Fields taken for the vector: an array of numbers, or `{ "indices": [...], "values": [...] }`. */
export const vectorFieldNames = Object.freeze(['vector', 'embedding', 'features'])

export type FieldRecord = Readonly<Record<string, unknown>>

/** The fields' jobs, by name. */
interface Plan extends ColumnRoles {
  readonly vector: string | undefined
  /** The fields that are features, one each. */
  readonly numbers: readonly string[]
  /** Fields that would have been read if the first record had them: a later one with them is bad. */
  readonly absent: readonly string[]
}

export class RecordBuilder {
  rows = 0
  readonly #file: string
  readonly #options: ReadOptions
  readonly #frontField: string | undefined
  #plan: Plan | undefined
  readonly #ids: StringList
  readonly #texts: StringList
  readonly #labels = new NamedLabels()
  readonly #vectors = new VectorRows()

  constructor(file: string, options: ReadOptions, frontField?: string) {
    this.#frontField = frontField
    const budget = new HeapBudget(file)
    this.#ids = new StringList(file, budget)
    this.#texts = new StringList(file, budget)
    this.#file = file
    this.#options = options
  }

  /** The fields that are read, once the first record has told. */
  get fields(): readonly string[] | undefined {
    const plan = this.#plan
    return plan && [...plan.text, ...plan.numbers, plan.label, plan.id, plan.vector].filter(name => name !== undefined)
  }

  /** Adds a record; a bad one throws and leaves no trace. For `worded`, see RecordReader. */
  add(record: FieldRecord, where: Place, worded: () => FieldRecord | undefined = () => record): void {
    this.#plan ??= this.#begin(record, where)
    const plan = this.#plan
    checkAbsent(record, plan.absent, where)
    const field = (name: string) => requireField(record, name, where)
    const word = (name: string) => (holdsNumber(field(name)) ? (worded() ?? record)[name] : field(name))
    const texts = plan.text.map(name => textOf(word(name), name, where))
    const id = plan.id === undefined ? undefined : textOf(word(plan.id), plan.id, where)
    const labels = plan.label === undefined ? undefined : labelsOf(word(plan.label), plan.label, where, this.#options)
    if (labels) this.#labels.check(labels, where)
    if (plan.vector !== undefined) this.#vectors.add(field(plan.vector), plan.vector, where)
    if (plan.numbers.length > 0) this.#vectors.add(plan.numbers.map(field), 'features', where)
    if (texts.length > 0) this.#texts.push(texts.join('\n'))
    if (id !== undefined) this.#ids.push(id)
    if (labels) this.#addLabels(labels, record[plan.label!])
    this.rows++
  }

  /** Labels may come with their names: `{ "uri", "label" }`. */
  #addLabels(labels: readonly string[], value: unknown): void {
    this.#labels.addRow(labels)
    if (!Array.isArray(value)) return
    labels.forEach((label, i) => {
      this.#nameLabel(label, value[i])
    })
  }

  #nameLabel(id: string, item: unknown): void {
    const isNamed = typeof item === 'object' && item !== null && 'uri' in item && 'label' in item
    if (isNamed && typeof item.label === 'string') this.#labels.name(id, item.label)
  }

  /** The data set of at least one record. */
  finish(): Dataset {
    const { text, id, label, vector, numbers } = this.#plan!
    const hasFeatures = vector !== undefined || numbers.length > 0
    return {
      name: this.#file,
      rows: this.rows,
      ...(id !== undefined && { ids: this.#ids.items }),
      ...(text.length > 0 && { texts: this.#texts.items }),
      ...(hasFeatures && { features: this.#vectors.finish() }),
      ...(numbers.length > 0 && { featureNames: numbers }),
      ...(label !== undefined && this.#labels.finish()),
      columns: {
        ...(text.length > 0 && { text }),
        ...(label !== undefined && { labels: label }),
        ...(id !== undefined && { id }),
        ...(vector !== undefined && { vector }),
        ...(numbers.length > 0 && { features: numbers }),
      },
    }
  }

  #begin(first: FieldRecord, where: Place): Plan {
    const front = this.#frontField
    if (front === undefined || !Object.hasOwn(first, front)) return this.#makePlan(first, Object.keys(first))
    const untold = checkUntold(first[front], where)
    this.#labels.declare(untold.labels)
    this.#vectors.declare(untold.features)
    const fields = Object.keys(first).filter(name => name !== front)
    return this.#makePlan(first, fields)
  }

  #makePlan(first: FieldRecord, fields: readonly string[]): Plan {
    const roles = assignRoles(this.#file, fields, this.#options)
    const vector = firstKnown(fields, vectorFieldNames)
    const absent = [
      ...(roles.label === undefined ? labelColumnNames : []),
      ...(vector === undefined ? vectorFieldNames : []),
    ]
    if (roles.text.length > 0 || vector !== undefined) return { ...roles, vector, numbers: [], absent }
    const numbers = fields.filter((name, i) => name !== roles.label && name !== roles.id && !countsRows(name, i))
    if (numbers.length === 0 || !numbers.every(name => isNumeric(first[name]))) throw this.#nothingToRead(fields)
    return { ...roles, vector, numbers, absent }
  }

  #nothingToRead(fields: readonly string[]): EngineError {
    return new EngineError('UNKNOWN_NAME', `cannot tell which field holds texts or vectors: ${listNames(fields)}`, {
      where: { file: this.#file },
      hint: 'Name the text fields with `textColumns` and the label field with `labelColumn`.',
    })
  }
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function checkAbsent(record: FieldRecord, absent: readonly string[], where: Place): void {
  const found = absent.find(name => Object.hasOwn(record, name))
  if (found !== undefined)
    throw unlikeFirst(`the record has a field "${found}", which the first record does not have`, where)
}

function requireField(record: FieldRecord, name: string, where: Place): unknown {
  if (Object.hasOwn(record, name)) return record[name]
  throw unlikeFirst(`the record has no field "${name}", which the first record has`, where)
}

function unlikeFirst(message: string, where: Place): EngineError {
  return new EngineError('BAD_DATA', message, {
    where,
    hint: 'Give every record the same fields. For a record without labels, give an empty list.',
  })
}
