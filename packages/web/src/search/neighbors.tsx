// Neighbors with their distances; pictures if the vectors are pictures. Each leads to its own neighbors.

import type { Id, Neighbor } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { decimal } from '../parts/numbers.ts'
import { Empty } from '../parts/state.tsx'
import { Picture, sideOf } from './picture.tsx'

interface NeighborsProps {
  readonly neighbors: readonly Neighbor[]
  onLike(id: Id): void
}

export function Neighbors({ neighbors, onLike }: NeighborsProps) {
  if (neighbors.length === 0) {
    return (
      <Empty icon="search" title="No neighbors">
        <p>Nothing else is stored here.</p>
      </Empty>
    )
  }
  return sideOf(neighbors[0]?.vector) ? <Pictures {...{ neighbors, onLike }} /> : <Rows {...{ neighbors, onLike }} />
}

function Pictures({ neighbors, onLike }: NeighborsProps) {
  return (
    <ol class="pictures">
      {neighbors.map(({ id, distance, vector }) => (
        <li key={id}>
          <button type="button" onClick={() => onLike(id)} title="Its own neighbors">
            <Picture vector={vector ?? []} name={`Item ${id}`} />
            <span class="small line apart">
              <span class="mono soft">{id}</span>
              <span class="number">
                <span class="unseen">distance </span>
                {decimal(distance)}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Rows({ neighbors, onLike }: NeighborsProps) {
  const farthest = Math.max(...neighbors.map(({ distance }) => distance), 1e-9)
  return (
    <ol class="neighbor-rows">
      {neighbors.map(({ id, distance, text }) => (
        <li key={id}>
          <button type="button" onClick={() => onLike(id)} title="Its own neighbors">
            <span dir="auto">{text ?? <span class="mono">{id}</span>}</span>
            <Bar share={distance / farthest} />
            <span class="number">
              <span class="unseen">distance </span>
              {decimal(distance)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
