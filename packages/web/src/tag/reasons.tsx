// Why a label was suggested: similar stored texts that have it, and words that go with it.

import type { Explanation } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { MarkedText } from '../parts/marked-text.tsx'
import { decimal } from '../parts/numbers.ts'
import { tellingWords } from '../parts/words.ts'

export function Reasons({ explanation }: { explanation: Explanation }) {
  const { neighbors, score, label, name } = explanation
  const features = tellingWords(explanation.features)
  const words = features.map(({ feature }) => feature)
  return (
    <div class="reasons">
      {features.length > 0 && (
        <section>
          <h3>Words that point to it</h3>
          <ul class="line">
            {features.slice(0, 8).map(({ feature, share }) => (
              <li key={feature} class="chip on">
                <bdi>{feature}</bdi> <span class="number">{decimal(share)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {neighbors.length > 0 && (
        <section>
          <h3>Neighbors that have it</h3>
          <ol class="neighbors">
            {neighbors.slice(0, 5).map(({ id, text, share }) => (
              <li key={id}>
                <span dir="auto">{text === undefined ? `item ${id}` : <MarkedText text={text} words={words} />}</span>
                <Bar share={share / Math.max(score, share)} />
                <span class="number soft">{decimal(share)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {features.length + neighbors.length === 0 && (
        <p class="small soft">Nothing in particular points to this label.</p>
      )}
      {name !== undefined && <p class="small soft mono uri">{label}</p>}
    </div>
  )
}
