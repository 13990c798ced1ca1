// The titles of the text search benchmarks, and the queries.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Random } from '@vicinal/core'

export interface Titles {
  readonly stored: string[]
  /** The first five words of titles that are not stored. */
  readonly queries: string[]
}

export function readTitles(data: string, titles: number, queries: number): Titles {
  const text = gunzipSync(readFileSync(join(data, 'text', 'yso-finna-en.tsv.gz'))).toString('utf8')
  const all = text.split('\n').flatMap(line => line.split('\t')[0] || [])
  const isHeldOut = (_: string, i: number) => i % 10 === 0
  const stored = all.filter((title, i) => !isHeldOut(title, i)).slice(0, titles)
  const heldOut = all.filter(isHeldOut)
  const random = new Random(1)
  const asked = Array.from({ length: queries }, () => {
    return (heldOut[random.below(heldOut.length)] ?? '').split(/\s+/).slice(0, 5).join(' ')
  })
  return { stored, queries: asked }
}
