// A panel with a heading and, beside it, what can be done.

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface CardProps {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

export function Card({ title, aside, children, class: className = '' }: CardProps) {
  const id = useId()
  return (
    <section class={`card ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
