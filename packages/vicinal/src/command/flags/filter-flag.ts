// `--filter year>=1990`: a condition on the metadata of documents. Given several times, all must be met.

import { EngineError } from '@vicinal/core'
import type { Condition, Primitive } from '@vicinal/core/collection'

type Conditions = Record<string, Condition<Primitive>>

/** A value that begins with a sign is in quotes: `year=>3` is rather a mistake. */
const pattern = /^([^<>=!]+?)\s*(>=|<=|!=|=|>|<)\s*(?![<>=!])(.*)$/s
const bounds: Readonly<Record<string, 'gte' | 'lte' | 'gt' | 'lt'>> = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt' }

export const filterHelp = 'condition on the metadata, such as year>=1990, lang=fi or lang!=fi; repeatable'

/** The conditions of all flags. */
export function parseFilters(flags: readonly string[]): Conditions | undefined {
  if (flags.length === 0) return undefined
  const conditions: Conditions = {}
  for (const flag of flags) {
    const [, name = '', sign = '', text = ''] = pattern.exec(flag) ?? []
    if (name === '') {
      throw new EngineError(
        'INVALID_OPTION',
        `--filter is '${flag}', expected a name, one of = != < <= > >= and a value`,
        {
          hint: "Put it in quotes: the shell takes < and > for itself. For example --filter 'year>=1990'.",
        },
      )
    }
    const [word, value] = conditionOf(sign, parsedValue(text))
    const known = conditions[name]
    if (known && word in known) {
      throw new EngineError('INVALID_OPTION', `--filter sets ${name} twice: '${flag}'`)
    }
    conditions[name] = { ...known, [word]: value }
  }
  return conditions
}

function conditionOf(sign: string, value: Primitive): [word: string, value: unknown] {
  if (sign === '=') return ['in', [value]]
  if (sign === '!=') return ['notIn', [value]]
  return [bounds[sign] ?? sign, value]
}

/** A number, true, false or null if it reads as one, or a text; quotes make a text of anything. */
function parsedValue(text: string): Primitive {
  const quoted = /^"(.*)"$/s.exec(text)
  if (quoted) return quoted[1] ?? ''
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
