// The messages between the page and its worker, on a site without a server.

import type { Failure, SiteFile } from '@vicinal/server/operations'
import type { LoadProgress, ServedKind, ServedName } from '../backend/backend.ts'

/** What index.html of a site says. */
export interface Site {
  readonly version: string
  readonly files: readonly SiteFile[]
}

export type Asked =
  | { readonly do: 'open'; readonly files: readonly SiteFile[]; readonly base: string }
  | {
      readonly do: 'call'
      readonly number: number
      readonly kind: ServedKind
      readonly name: string
      readonly operation: string
      readonly input: object
    }
  | { readonly do: 'stop'; readonly number: number }

export type Answered =
  | { readonly do: 'progress'; readonly progress: LoadProgress }
  | { readonly do: 'opened'; readonly served: readonly ServedName[] }
  | { readonly do: 'not opened'; readonly failure: Failure }
  | { readonly do: 'answer'; readonly number: number; readonly answer: string }
  | { readonly do: 'fail'; readonly number: number; readonly failure: Failure }
