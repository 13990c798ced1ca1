// State that the whole page shares: the backend, whether it answers, and the last message.

import type { Backend, ServedKind } from '../backend/backend.ts'
import { Problem } from '../backend/backend.ts'
import { Signal } from './signal.ts'

export interface Toast {
  readonly text: string
  /** A way back, such as 'Undo'. */
  readonly action?: { readonly name: string; run(): void }
}

/** Whether the service answers; 'token' if it wants one first. */
export const connection = new Signal<'on' | 'off' | 'token'>('on')

/** Shown for a few seconds, and read out. */
export const toast = new Signal<Toast | undefined>(undefined)

/** Read out by screen readers, and not shown. */
export const announced = new Signal('')

/** Counts the changes of what is served, so that lists are asked for again. */
export const changes = new Signal(0)

let backend: Backend | undefined

export function setBackend(chosen: Backend): void {
  backend = chosen
}

export function theBackend(): Backend {
  if (!backend) throw new Error('no backend was chosen yet') // a bug of ours: main.tsx does so first
  return backend
}

/** One operation. What it says about the connection is noted for the whole page. */
export async function call<Answer>(
  kind: ServedKind,
  name: string,
  operation: string,
  input: object = {},
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const answer = await theBackend().call<Answer>(kind, name, operation, input, signal)
    connection.value = 'on'
    return answer
  } catch (error) {
    noteConnection(error)
    throw error
  }
}

export function noteConnection(error: unknown): void {
  if (!(error instanceof Problem)) return
  if (error.code === 'OFFLINE') connection.value = 'off'
  else connection.value = error.status === 401 ? 'token' : 'on'
}

/** Says that something failed, in a toast. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  const { message, hint } = error as Problem
  toast.value = { text: [sentence(message), hint].filter(part => part !== undefined).join(' ') }
}

/** 'the text is empty' → 'The text is empty.' */
export function sentence(text: string): string {
  const trimmed = text.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.')
}
