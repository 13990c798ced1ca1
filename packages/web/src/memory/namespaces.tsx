// Whose memories to see.

export interface NamespaceCount {
  /** null: inserted without one. */
  readonly namespace: string | null
  readonly count: number
}

interface NamespacesProps {
  readonly spaces: readonly NamespaceCount[]
  readonly current: string | undefined
  onNamespace(namespace: string | undefined): void
}

export function Namespaces({ spaces, current, onNamespace }: NamespacesProps) {
  const named = spaces.filter(({ namespace }) => namespace !== null)
  if (named.length === 0) return null
  const all = spaces.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul class="line" aria-label="Namespaces">
      <li>
        <button type="button" class="chip" aria-pressed={current === undefined} onClick={() => onNamespace(undefined)}>
          all <span class="number soft">{all}</span>
        </button>
      </li>
      {named.map(({ namespace, count }) => (
        <li key={namespace}>
          <button
            type="button"
            class="chip"
            aria-pressed={namespace === current}
            onClick={() => onNamespace(namespace ?? undefined)}
          >
            <bdi>{namespace}</bdi> <span class="number soft">{count}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
