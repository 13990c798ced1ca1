// Conditions on metadata: those that hold, as chips, and a line to add one.

import { useId, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { type Comparison, type Condition, comparisonNames, type Field, typedValue } from './conditions.ts'

interface FiltersProps {
  readonly fields: readonly Field[]
  readonly conditions: readonly Condition[]
  onConditions(conditions: readonly Condition[]): void
}

export function Filters({ fields, conditions, onConditions }: FiltersProps) {
  if (fields.length === 0) return null
  return (
    <div class="filters">
      {conditions.length > 0 && (
        <ul class="line" aria-label="Filters">
          {conditions.map(condition => (
            <li key={textOf(condition)} class="chip on">
              {textOf(condition)}
              <button
                type="button"
                aria-label={`Remove the filter ${textOf(condition)}`}
                onClick={() => onConditions(conditions.filter(one => one !== condition))}
              >
                <Icon name="cross" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="disclose small">
        <summary>
          <Icon name="chevron" size={14} />
          Add a filter
        </summary>
        <AddFilter fields={fields} onAdd={condition => onConditions([...conditions, condition])} />
      </details>
    </div>
  )
}

function textOf({ field, comparison, value }: Condition): string {
  return `${field} ${comparisonNames[comparison]} ${value}`
}

function AddFilter({ fields, onAdd }: { fields: readonly Field[]; onAdd: (condition: Condition) => void }) {
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [comparison, setComparison] = useState<Comparison>('is')
  const [typed, setTyped] = useState('')
  const list = useId()
  const field = fields.find(one => one.name === name) ?? fields[0]
  const add = (event: Event) => {
    event.preventDefault()
    if (!field || typed.trim() === '') return
    onAdd({ field: field.name, comparison, value: typedValue(typed.trim(), field) })
    setTyped('')
  }
  return (
    <form class="add-filter" onSubmit={add}>
      <select class="field" aria-label="Field" value={name} onChange={event => setName(event.currentTarget.value)}>
        {fields.map(one => (
          <option key={one.name}>{one.name}</option>
        ))}
      </select>
      <select
        class="field"
        aria-label="Comparison"
        value={comparison}
        onChange={event => setComparison(event.currentTarget.value as Comparison)}
      >
        {Object.entries(comparisonNames).map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
      <input
        class="field"
        aria-label="Value"
        type={field?.isNumber ? 'number' : 'text'}
        step="any"
        list={list}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
      />
      <datalist id={list}>
        {field?.values.map(value => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <button type="submit" class="button">
        Add
      </button>
    </form>
  )
}
