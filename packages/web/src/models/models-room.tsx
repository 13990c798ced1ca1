// Models: how good one is, label by label; whether its scores can be trusted; what it costs; and what is inside.

import type { ComponentChildren } from 'preact'
import type { ModelFacts, Quality } from '../backend/answers.ts'
import type { ServedName } from '../backend/backend.ts'
import { bytes, count, grouped } from '../parts/numbers.ts'
import { ProblemNote, Waiting } from '../parts/state.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { LabelMap } from './label-map.tsx'
import { LabelTable } from './label-table.tsx'
import { OptionsCard } from './options-card.tsx'
import { QualityCard } from './quality-card.tsx'
import { ReliabilityCard } from './reliability-card.tsx'
import { TreeCard } from './tree-card.tsx'

export function ModelsRoom({ served: { name }, picker }: { served: ServedName; picker: ComponentChildren }) {
  const { data: facts, problem, again } = useAnswer<ModelFacts>('model', name, 'describe')
  const quality = useAnswer<{ quality: Quality | null }>('model', name, 'quality')
  const measured = quality.data?.quality ?? undefined
  return (
    <>
      <div class="room-head">
        {picker}
        {facts && (
          <p class="facts">
            <span>{facts.method}</span>
            <b>{count(facts.labels, 'label')}</b>
            <span>
              <b>{grouped(facts.rows)}</b> {facts.takesTexts ? 'texts' : 'vectors'}
            </span>
            <b>{bytes(facts.bytes)}</b>
          </p>
        )}
      </div>
      {problem && <ProblemNote problem={problem} onRetry={again} />}
      {!facts && !problem && <Waiting rows={6} />}
      {facts && (
        <div class="stack">
          {quality.isLoading && !quality.data ? (
            <Waiting />
          ) : (
            <QualityCard facts={facts} quality={measured} onMeasured={quality.again} />
          )}
          {measured && (
            <div class="columns wide-start">
              <LabelTable rows={measured.perLabel} />
              <ReliabilityCard bins={measured.reliability} />
            </div>
          )}
          <LabelMap name={name} />
          {facts.trees !== undefined && <TreeCard name={name} trees={facts.trees} />}
          <OptionsCard options={facts.options} />
        </div>
      )}
    </>
  )
}
