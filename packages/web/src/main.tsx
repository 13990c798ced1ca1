// Chooses who answers, and shows the page.

import './style/tokens.css'
import './style/base.css'
import './style/layout.css'
import './style/parts.css'
import './style/tag.css'
import './style/search.css'
import './style/memory.css'
import './style/models.css'
import './style/forced-colors.css'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { chooseBackend } from './backend/choose-backend.ts'
import { keepFocus } from './state/keep-focus.ts'
import { setBackend } from './state/session.ts'

// Not awaited at the top level, which not every bundler supports.
void chooseBackend().then(backend => {
  setBackend(backend)
  const page = document.getElementById('page') as HTMLElement
  page.replaceChildren() // the text for when no script runs
  render(<App />, page)
  keepFocus(page)
})
