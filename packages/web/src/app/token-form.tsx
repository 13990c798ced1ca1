// Asks for the token that the service requires.

import { useState } from 'preact/hooks'
import { setToken } from '../backend/http-backend.ts'
import { Empty } from '../parts/state.tsx'

export function TokenForm({ wasRefused, onToken }: { wasRefused: boolean; onToken: () => void }) {
  const [token, setTyped] = useState('')
  const send = (event: Event) => {
    event.preventDefault()
    setToken(token.trim())
    onToken()
  }
  return (
    <Empty icon="key" title="This service needs a token" whole>
      <p>Ask the person who runs the service for one. It is kept until you close this tab.</p>
      <form class="token" onSubmit={send}>
        <input
          class="field"
          type="password"
          aria-label="Token"
          placeholder="Token"
          autocomplete="off"
          required
          value={token}
          onInput={event => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="button main">
          Go on
        </button>
      </form>
      {wasRefused && (
        <p class="bad-text" role="alert">
          The service does not know this token.
        </p>
      )}
    </Empty>
  )
}
