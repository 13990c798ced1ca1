// The labels as a map: those that occur in similar items are near each other. Larger dots have more items.

import { useState } from 'preact/hooks'
import { type MapPoint, nameOf } from '../backend/answers.ts'
import { linearAxis } from '../parts/axis.ts'
import { Card } from '../parts/card.tsx'
import { count, grouped } from '../parts/numbers.ts'
import { ProblemNote, Waiting } from '../parts/state.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { useNarrow } from '../state/use-narrow.ts'
import { placeNames } from './place-names.ts'

const edge = 24

export function LabelMap({ name }: { name: string }) {
  const { data, problem, isLoading, again } = useAnswer<{ points: MapPoint[]; labels: number }>('model', name, 'map')
  const [search, setSearch] = useState('')
  const [over, setOver] = useState<MapPoint>()
  if (problem?.code === 'UNSUPPORTED') return <NoMap reason={problem.message} />
  const wanted = search.trim().toLowerCase()
  const isFound = (point: MapPoint) => wanted !== '' && nameOf(point).toLowerCase().includes(wanted)
  const points = data?.points ?? []
  const found = points.filter(isFound)
  const named = over ?? (found.length === 1 ? found[0] : undefined)
  return (
    <Card
      title="Map of the labels"
      aside={
        <input
          class="field narrow"
          type="search"
          aria-label="Find a label on the map"
          placeholder="Find …"
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
      }
    >
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {!data && isLoading && <Waiting />}
      {data && (
        <>
          <Drawing points={points} isFound={isFound} isSearch={wanted !== ''} onOver={setOver} />
          <p class="small soft" role="status">
            {named
              ? `${nameOf(named)}: ${count(named.rows, 'item')}`
              : wanted !== ''
                ? `${count(found.length, 'label')} found${found.length > 0 ? `: ${found.slice(0, 5).map(nameOf).join(', ')}` : ''}`
                : `${shownText(points.length, data.labels)} Similar labels are near each other.`}
          </p>
        </>
      )}
    </Card>
  )
}

/** A margin model keeps nothing of some labels: all their rows were in conflict with others. */
function shownText(shown: number, labels: number): string {
  if (shown === labels) return `All ${count(labels, 'label')}.`
  return `${grouped(shown)} of ${count(labels, 'label')}, the most frequent ones that the model has items of.`
}

/** A method that somebody registered may have nothing to place labels by. */
function NoMap({ reason }: { reason: string }) {
  return (
    <Card title="Map of the labels">
      <p class="soft">There is no map: {reason}.</p>
    </Card>
  )
}

interface DrawingProps {
  readonly points: readonly MapPoint[]
  readonly isSearch: boolean
  isFound(point: MapPoint): boolean
  onOver(point: MapPoint | undefined): void
}

function Drawing({ points, isSearch, isFound, onOver }: DrawingProps) {
  const isNarrow = useNarrow()
  const [width, height] = isNarrow ? [400, 460] : [960, 560]
  const most = Math.max(...points.map(({ rows }) => rows), 1)
  const x = fitted(
    points.map(point => point.x),
    edge,
    width - edge,
  )
  const y = fitted(
    points.map(point => point.y),
    height - edge,
    edge,
  )
  const dots = points.map(point => ({ point, x: x(point.x), y: y(point.y), r: 3 + 6 * (point.rows / most) ** 2 }))
  const names = placeNames(
    dots.map(({ point, x, y, r }) => ({ text: nameOf(point), x, y, r, isWanted: isSearch && isFound(point) })),
    { width, height, most: isNarrow ? 16 : 45 },
  )
  return (
    <svg
      class="chart map"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Map of ${count(points.length, 'label')}`}
    >
      {dots.map(({ point, x, y, r }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field above finds labels by keys
        <circle
          key={point.label}
          class={isSearch ? (isFound(point) ? 'place is-found' : 'place is-faint') : 'place'}
          {...{ cx: x, cy: y, r }}
          onMouseEnter={() => onOver(point)}
          onMouseLeave={() => onOver(undefined)}
        >
          <title>{`${nameOf(point)}: ${count(point.rows, 'item')}`}</title>
        </circle>
      ))}
      {names.map(({ text, x, y }) => (
        <text key={`${text} ${x}`} class="place-name" x={x} y={y}>
          {text}
        </text>
      ))}
    </svg>
  )
}

/** Spreads values over the whole drawing. */
function fitted(values: readonly number[], from: number, to: number): (value: number) => number {
  return linearAxis(Math.min(...values), Math.max(...values), from, to).place
}
