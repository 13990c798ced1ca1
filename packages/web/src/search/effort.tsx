// How much work a search may do: a slider, and the recall and time of every step once they are measured.

import { useState } from 'preact/hooks'
import type { CurvePoint, IndexFacts } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { micros, percent } from '../parts/numbers.ts'
import { Waiting } from '../parts/state.tsx'
import { call, report } from '../state/session.ts'
import { CurveChart } from './curve-chart.tsx'

interface EffortProps {
  readonly facts: IndexFacts
  readonly options: object
  readonly k: number
  onOptions(options: object): void
}

export function Effort({ facts, options, k, onOptions }: EffortProps) {
  const { efforts = [], name, searchDefaults = {} } = facts
  const [points, setPoints] = useState<readonly CurvePoint[]>()
  const [isMeasuring, setMeasuring] = useState(false)
  if (efforts.length === 0) {
    return (
      <Card title="Effort">
        <p class="small soft">This index has no effort to choose: it cannot trade recall for time.</p>
      </Card>
    )
  }
  // Once measured, leave out steps that find no more than a faster one.
  const steps = points ? points.map(point => point.options) : efforts
  const place = placeOf(steps, isTuned(options) ? searchDefaults : options)
  const at = place ?? Math.floor(steps.length / 2)
  const point = place === undefined ? undefined : points?.[place]
  const stepText = isTuned(options) ? 'as tuned' : `step ${at + 1} of ${steps.length}`
  const measure = async () => {
    if (isMeasuring) return // not disabled, so that it keeps the focus
    setMeasuring(true)
    try {
      const answer = await call<{ points: CurvePoint[] }>('index', name, 'curve', { k, queries: 100 })
      setPoints(answer.points)
      const isKept =
        placeOf(
          answer.points.map(one => one.options),
          options,
        ) !== undefined
      if (!isKept) onOptions({})
    } catch (error) {
      report(error)
    }
    setMeasuring(false)
  }
  return (
    <Card
      title="Effort"
      aside={
        <button type="button" class="button" onClick={() => void measure()} aria-disabled={isMeasuring}>
          {isMeasuring ? 'Measuring …' : points ? 'Measure again' : 'Measure'}
        </button>
      }
    >
      <div class="stack tight">
        <input
          class="slider"
          type="range"
          aria-label="Effort"
          aria-valuetext={stepText}
          min={0}
          max={steps.length - 1}
          step={1}
          value={at}
          onInput={event => onOptions(steps[Number(event.currentTarget.value)] ?? {})}
        />
        <div class="line apart small">
          <span class="soft">faster</span>
          <output class="number">{stepText}</output>
          <span class="soft">surer</span>
        </div>
        {isMeasuring && !points && <Waiting rows={3} />}
        {points && <CurveChart points={points} current={point} onPoint={({ options }) => onOptions(options)} />}
        {point && (
          <p class="small number" role="status">
            Finds <b>{percent(point.recall)}</b> of the {k} nearest in <b>{micros(point.microsPerQuery)}</b>
          </p>
        )}
        {!points && !isMeasuring && (
          <p class="small soft">Measure how many of the true neighbors each step finds, and how long it takes.</p>
        )}
      </div>
    </Card>
  )
}

function placeOf(efforts: readonly object[], options: object): number | undefined {
  const place = efforts.findIndex(effort => isSame(effort, options))
  return place < 0 ? undefined : place
}

function isSame(a: object, b: object | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Nothing was chosen: the index searches as it was tuned. */
function isTuned(options: object): boolean {
  return Object.keys(options).length === 0
}
