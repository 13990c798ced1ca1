import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Collection } from '@vicinal/core/collection'
import { CollectionStore } from '@vicinal/server'
import { describe } from 'vitest'
import { Browser, executablePath } from './browser.cases.ts'
import { type AnyCollection, describeCollection, type Place } from './collections.cases.ts'
import { PageCollections } from './page-collections.ts'

describeCollection('Collection', {
  make: async options => Collection.create<Place>(options),
  reopen: async collection => Collection.fromBytes<Place>((collection as Collection<Place>).toBytes()),
  close: async () => {},
})

const opened: CollectionStore<Place>[] = []
const folder = mkdtemp(join(tmpdir(), 'collections-'))

describeCollection('CollectionStore', {
  make: async options => {
    const store = await CollectionStore.create<Place>(join(await folder, `store-${opened.length}`), options)
    opened.push(store)
    return store
  },
  reopen: async collection => {
    const store = collection as CollectionStore<Place>
    await store.close()
    const again = await CollectionStore.open<Place>(store.path)
    opened.push(again)
    return again
  },
  close: async () => {
    for (const store of opened) await store.close()
    await rm(await folder, { recursive: true })
  },
})

/** In Chromium, the built core: every call goes to the page and back. Reopening takes the file from the page's own file system. */
describe.skipIf(!executablePath)('in a page', () => {
  let pages: PageCollections | undefined
  describeCollection('Collection in Chromium', {
    make: async options => {
      pages ??= new PageCollections(await Browser.start())
      return pages.make(options)
    },
    reopen: (collection: AnyCollection) => (pages as PageCollections).reopen(collection), // made before
    close: async () => pages?.close(),
    skip: {
      'stores what comes from any iterable, and keeps what came before a fault':
        'a generator does not pass into a page',
    },
  })
})
