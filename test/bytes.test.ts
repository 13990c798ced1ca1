// Whatever can be saved to a file can be kept as bytes, where there are no files: the same bytes, and the same answers.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EngineError,
  ExactIndex,
  ForestClassifier,
  ForestIndex,
  InvertedIndex,
  LcifClassifier,
  loadClassifier,
  loadIndex,
  MarginClassifier,
  MemoryClassifier,
  MemoryTree,
  type ModelBytes,
  NetIndex,
  SparseForestIndex,
} from 'vicinal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const rows = Array.from({ length: 40 }, (_, i) => [i % 7, (i * i) % 11, i / 10, 1])
const sparse = rows.map(row => row.map((value, i): [number, number] => [3 * i, value + 1]))
const items = rows.map((_, i) => ({ text: `word${i % 3} other${i % 5}`, labels: [`l${i % 3}`] }))

function filledMemory(): MemoryTree {
  const memory = MemoryTree.create()
  for (const { text, labels } of items) memory.insert(text, labels)
  return memory
}

interface Saved {
  toBytes(): Uint8Array<ArrayBuffer>
  save(path: string, options?: { readonly overwrite?: boolean }): Promise<void>
  free(): void
}

interface Kind<T extends Saved = Saved> {
  readonly make: () => Promise<T> | T
  readonly fromBytes: (bytes: ModelBytes) => Promise<T>
  readonly ask: (one: T) => unknown
}

const kindOf = <T extends Saved>(kind: Kind<T>): Kind => kind as unknown as Kind // asked with what it made

const kinds: Readonly<Record<string, Kind>> = {
  ExactIndex: kindOf({
    make: () => ExactIndex.fit(rows),
    fromBytes: ExactIndex.fromBytes,
    ask: index => index.search(rows[3]!),
  }),
  ForestIndex: kindOf({
    make: () => ForestIndex.fit(rows, { trees: 3 }),
    fromBytes: ForestIndex.fromBytes,
    ask: index => index.search(rows[3]!),
  }),
  InvertedIndex: kindOf({
    make: () => InvertedIndex.fit(sparse),
    fromBytes: InvertedIndex.fromBytes,
    ask: index => index.search(sparse[3]!),
  }),
  SparseForestIndex: kindOf({
    make: () => SparseForestIndex.fit(sparse, { trees: 3 }),
    fromBytes: SparseForestIndex.fromBytes,
    ask: index => index.search(sparse[3]!),
  }),
  NetIndex: kindOf({
    make: () => NetIndex.fit(rows),
    fromBytes: bytes => NetIndex.fromBytes(bytes),
    ask: index => index.search(rows[3]!),
  }),
  LcifClassifier: kindOf({
    make: () => LcifClassifier.fit(items),
    fromBytes: LcifClassifier.fromBytes,
    ask: model => model.predict('word1 other2'),
  }),
  ForestClassifier: kindOf({
    make: () => ForestClassifier.fit(items, { trees: 3 }),
    fromBytes: ForestClassifier.fromBytes,
    ask: model => model.predict('word1 other2'),
  }),
  MarginClassifier: kindOf({
    make: () => MarginClassifier.fit(items),
    fromBytes: MarginClassifier.fromBytes,
    ask: model => model.predict('word1 other2'),
  }),
  MemoryClassifier: kindOf({
    make: () => MemoryClassifier.fit(items),
    fromBytes: MemoryClassifier.fromBytes,
    ask: model => model.predict('word1 other2'),
  }),
  MemoryTree: kindOf({
    make: filledMemory,
    fromBytes: MemoryTree.fromBytes,
    ask: memory => memory.query('word1 other2', { k: 3 }).map(({ id, value }) => [id, value]),
  }),
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-bytes-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(Object.entries(kinds))('%s', (name, { make, fromBytes, ask }) => {
  it('gives the bytes of its file, and answers the same from them', async () => {
    const made = await make()
    const [bytes, path] = [made.toBytes(), join(folder, `${name}.model`)]
    await made.save(path)
    expect(Buffer.compare(bytes, await readFile(path))).toBe(0)
    const answer = ask(made)
    expect(answer).not.toEqual([])
    for (const given of [bytes, bytes.buffer]) {
      const again = await fromBytes(given)
      expect(ask(again)).toEqual(answer)
      expect(Buffer.compare(again.toBytes(), bytes)).toBe(0)
      again.free()
    }
    made.free()
  })

  it('refuses bytes that were changed, that end too soon, and what are no bytes', async () => {
    const made = await make()
    const bytes = made.toBytes()
    made.free()
    await expect(fromBytes(bytes.subarray(0, bytes.length - 9))).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    bytes[bytes.length - 1]! ^= 1
    await expect(fromBytes(bytes)).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    await expect(fromBytes('a path' as unknown as Uint8Array)).rejects.toBeInstanceOf(EngineError)
  })

  it('replaces a file only if asked to', async () => {
    const made = await make()
    const path = join(folder, `${name}.again`)
    await made.save(path)
    const refused = { code: 'FILE_EXISTS', hint: expect.stringContaining('{ overwrite: true }') }
    await expect(made.save(path)).rejects.toMatchObject(refused)
    await made.save(path, { overwrite: true })
    made.free()
  })
})

describe('loading without knowing what it is', () => {
  it('takes the bytes of any index and of any classifier', async () => {
    for (const name of ['ExactIndex', 'ForestIndex', 'InvertedIndex', 'SparseForestIndex', 'NetIndex']) {
      const { make, ask } = kinds[name]!
      const made = await make()
      const { index } = await loadIndex(made.toBytes())
      expect(ask(index)).toEqual(ask(made))
      const wrong = loadClassifier(made.toBytes())
      await expect(wrong).rejects.toMatchObject({ code: 'UNKNOWN_NAME', where: { file: 'the model' } })
    }
    for (const name of ['LcifClassifier', 'ForestClassifier', 'MarginClassifier', 'MemoryClassifier']) {
      const { make, ask } = kinds[name]!
      const made = await make()
      expect(ask(await loadClassifier(made.toBytes().buffer))).toEqual(ask(made))
      await expect(loadIndex(made.toBytes())).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
    }
  })

  it('says what it takes', async () => {
    const given = [1, 2] as unknown as Uint8Array
    const message = expect.stringContaining('the path of a model file, or its bytes')
    await expect(loadIndex(given)).rejects.toMatchObject({ code: 'INVALID_OPTION', message })
    await expect(loadClassifier(given)).rejects.toMatchObject({ code: 'INVALID_OPTION', message })
  })
})
