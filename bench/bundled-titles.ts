// The library titles that come with the checkout (data/README.md), and the names of their subjects.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The lines of a file in data/, as cells. Lines without a tab are left out. */
export function linesOf(name: string): string[][] {
  const bytes = readFileSync(join(import.meta.dirname, '..', 'data', name))
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').flatMap(line => (line.includes('\t') ? [line.split('\t')] : []))
}

/** The training titles that have a letter or a digit. */
export function bundledTitles(): string[] {
  return linesOf('titles-train.tsv.gz').flatMap(([title = '']) => (/\w/.test(title) ? [title] : []))
}
