// The page waits for its service, or for the files of a site without one.

import type { LoadProgress } from '../backend/backend.ts'
import { bytes } from '../parts/numbers.ts'
import { Waiting } from '../parts/state.tsx'

export function Loading({ progress }: { progress: LoadProgress | undefined }) {
  if (!progress) return <Waiting rows={6} />
  const { loaded, total, what } = progress
  const share = total > 0 ? loaded / total : 0
  return (
    <div class="state whole">
      <div role="status">
        <h1>{what === 'loading' ? 'Loading the model' : 'Opening the model'}</h1>
      </div>
      <progress class="progress" value={share} aria-label="Loaded" />
      <p class="number">
        {bytes(loaded)} of {bytes(total)}. It stays in this browser; nothing you type leaves it.
      </p>
    </div>
  )
}
