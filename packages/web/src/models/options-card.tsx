// How the model was made.

import { Card } from '../parts/card.tsx'

export function OptionsCard({ options }: { options: Readonly<Record<string, unknown>> }) {
  return (
    <Card title="Options">
      <dl class="options">
        {Object.entries(options).map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd class="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
