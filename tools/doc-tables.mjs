// The tables of the documentation, made from bench/results. A document marks the place:
//   <!-- table: kernels --> … <!-- end -->
// `node tools/doc-tables.mjs` fills all marked places; a test checks that they are filled as they should be.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { annTables } from './tables/ann-tables.mjs'
import { collectionTables } from './tables/collection-tables.mjs'
import { gptTables } from './tables/gpt-tables.mjs'
import { labelTables } from './tables/label-tables.mjs'
import { marginTables } from './tables/margin-tables.mjs'
import { memoryTables } from './tables/memory-tables.mjs'
import { searchTables } from './tables/search-tables.mjs'
import { serviceTables } from './tables/service-tables.mjs'
import { storeTables } from './tables/store-tables.mjs'
import { measuredOn, placeOf, result, root, table } from './tables/table-parts.mjs'

const documents = ['README.md', ...readdirSync(join(root, 'docs')).map(name => join('docs', name))].filter(name =>
  name.endsWith('.md'),
)

const makers = {
  ...annTables,
  ...collectionTables,
  ...gptTables,
  ...labelTables,
  ...marginTables,
  ...memoryTables,
  ...searchTables,
  ...serviceTables,
  ...storeTables,
  reliability() {
    const kept = result('reliability')
    const rows = kept.checks.map(({ name, tried, failed, note = '' }) => {
      return [name, tried.toLocaleString('en'), failed, note]
    })
    return `${table(['what we tried', 'cases', 'failed', ''], rows)}\n\n${placeOf(kept)}`
  },
  kernels() {
    const kernels = result('kernels')
    const rows = kernels.lines.map(({ kernel, js, wasm, gain }) => [kernel, js, wasm, `${gain}×`])
    return `${table(['kernel (ns per row, unless stated)', 'plain JS', 'ours', 'gain'], rows)}\n\n${measuredOn(kernels)}`
  },
}

/** From a mark to its end, with or without a table in between, but never over another mark. */
const place = /<!-- table: ([\w-]+) -->\n((?!<!-- (?:table: |end -->))[\s\S])*<!-- end -->/g
const marks = /<!-- table: /g

/** The document's text with all its tables made anew. */
export function fillTables(text) {
  const open = text.replace(place, '').match(marks)
  if (open) throw new Error(`${open.length} table marks have no <!-- end --> of their own, or stand in a line with it`)
  return text.replace(place, (_, name) => {
    if (!makers[name]) throw new Error(`no table is called ${name}; known: ${Object.keys(makers).join(', ')}`)
    return `<!-- table: ${name} -->\n${makers[name]()}\n<!-- end -->`
  })
}

/** The documents with their text as it is. */
export function readDocuments() {
  return documents
    .filter(name => existsSync(join(root, name)))
    .map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, text } of readDocuments()) writeFileSync(join(root, name), fillTables(text))
}
