// One tree of a forest, as a picture.

import { useEffect, useRef, useState } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { ProblemNote, Waiting } from '../parts/state.tsx'
import { useAnswer } from '../state/use-answer.ts'

export function TreeCard({ name, trees }: { name: string; trees: number }) {
  const [tree, setTree] = useState(0)
  const [levels, setLevels] = useState(4)
  const { data, problem, again } = useAnswer<{ svg: string }>('model', name, 'tree', { tree, levels })
  const frame = useRef<HTMLElement>(null)
  const center = () => {
    if (frame.current) frame.current.scrollLeft = (frame.current.scrollWidth - frame.current.clientWidth) / 2
  }
  useEffect(center, [data])
  return (
    <Card
      title="Tree"
      aside={
        <div class="line small">
          <label class="line">
            Tree
            <select class="field" value={tree} onChange={event => setTree(Number(event.currentTarget.value))}>
              {Array.from({ length: trees }, (_, one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
          <label class="line">
            Levels
            <select class="field" value={levels} onChange={event => setLevels(Number(event.currentTarget.value))}>
              {[2, 3, 4, 5, 6].map(one => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        </div>
      }
    >
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {!data && !problem && <Waiting />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what scrolls
        <section ref={frame} class="scroll tree" tabIndex={0} aria-label={`Tree ${tree}`}>
          {/* As an image, so that nothing in it runs. */}
          <img
            onLoad={center}
            src={`data:image/svg+xml,${encodeURIComponent(data.svg)}`}
            alt={`Tree ${tree}, its first ${levels} levels`}
          />
        </section>
      )}
    </Card>
  )
}
