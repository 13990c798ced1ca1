// A place to drop a file on, or to choose one.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface FileDropProps {
  readonly name: string
  readonly accept: string
  readonly children: ComponentChildren
  onFile(file: File): void
}

export function FileDrop({ name, accept, children, onFile }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (file) onFile(file)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same
    <div class={isOver ? 'drop over' : 'drop'} onDrop={drop} onDragOver={over} onDragLeave={() => setOver(false)}>
      <p class="small soft">{children}</p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        {name}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={name}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
