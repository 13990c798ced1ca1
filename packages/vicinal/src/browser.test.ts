// A page that imports 'vicinal' gets the engine, and nothing that needs Node.

import { build } from 'esbuild'
import { expect, it } from 'vitest'
import * as page from './browser.ts'
import * as node from './index.ts'

it('has all that Node has but what writes files: the stores and sites', () => {
  const missing = Object.keys(node).filter(name => !(name in page))
  expect(missing.sort()).toEqual([
    'CollectionStore',
    'MemoryStore',
    'isCollectionStore',
    'isMemoryStore',
    'storeDefaults',
    'writeSite',
  ])
})

it('is what a bundler takes for a page, without a module of Node', async () => {
  const { metafile } = await build({
    stdin: { contents: "export * from 'vicinal'", resolveDir: import.meta.dirname },
    ...{ bundle: true, format: 'esm', platform: 'browser', write: false, metafile: true },
    conditions: ['@vicinal/source'],
  })
  const files = Object.keys(metafile.inputs)
  expect(files).toContain('packages/vicinal/src/browser.ts')
  expect(
    files.filter(file => /packages\/server|formats\/|stemmers|node:/.test(file.replace('core/src/data/formats', ''))),
  ).toEqual([])
})
