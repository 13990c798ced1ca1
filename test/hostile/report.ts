// What hostile checks count. Every check says how many cases it tried and how many failed; with HOSTILE_REPORT=folder the
// counts are kept there, one JSON file a check, and `npm run reliability` makes the table of docs/reliability.md of them.
// HOSTILE_LONG=1 asks for as many cases as the table shows; without it a check takes a second or two.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Counts of one check. */
export interface HostileCounts {
  /** What was tried, as the table says it: 'models with one value changed'. */
  readonly name: string
  /** Cases tried. */
  readonly tried: number
  /** Cases that were neither refused with an EngineError nor answered sanely. */
  readonly failed: number
  /** What the counts alone do not tell, for the table. */
  readonly note?: string
}

/** Are the long checks asked for? */
export const isLong = Boolean(process.env.HOSTILE_LONG)

/** As many cases as the run is for: few within `npm test`, many within `npm run test:hostile`. */
export function caseCount(few: number, many: number): number {
  return isLong ? many : few
}

/** Prints the counts of a check and, if HOSTILE_REPORT names a folder, keeps them there. */
export function report(counts: HostileCounts): void {
  console.log(`${counts.name}: ${counts.tried.toLocaleString('en')} tried, ${counts.failed} failed`)
  const folder = process.env.HOSTILE_REPORT
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const file = `${counts.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`
  writeFileSync(join(folder, file), `${JSON.stringify(counts)}\n`)
}
