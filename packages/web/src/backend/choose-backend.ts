// A static site says so in the page; otherwise the service that sent the page answers.

import type { Backend } from './backend.ts'
import { httpBackend } from './http-backend.ts'

export async function chooseBackend(): Promise<Backend> {
  const site = document.getElementById('vicinal-site')
  if (!site) return httpBackend
  const { openWorkerBackend } = await import('./worker-backend.ts')
  return openWorkerBackend(JSON.parse(site.textContent ?? ''))
}
