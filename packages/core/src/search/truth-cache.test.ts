import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { findIndexKind, loadIndex } from './registry.ts'
import type { Vectors } from './search-index.ts'
import { type KeptTruth, keptTruth } from './truth-cache.ts'

const line = DenseMatrix.from([[0], [1], [3], [7]])
const queries = DenseMatrix.from([[0], [6]])

describe('keptTruth', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-truth-'))
    path = join(folder, 'line.index')
    await saveIndexOf(line)
  })

  afterEach(() => rm(folder, { recursive: true }))

  async function saveIndexOf(rows: Vectors): Promise<void> {
    const index = await findIndexKind(rows instanceof DenseMatrix ? 'exact' : 'inverted').fit(rows)
    await index.save(path, { overwrite: true })
    index.free()
  }

  async function truthOf(asked: Vectors, k = 2): Promise<KeptTruth> {
    const opened = await loadIndex(path)
    const kept = await keptTruth(path, opened, asked, { k })
    opened.index.free()
    return kept
  }

  it('computes the neighbors once', async () => {
    const first = await truthOf(queries)
    expect(Array.from(first.truth.rows)).toEqual([0, 1, 3, 2])
    expect(first.state).toBe('written')
    expect(first.file).toMatch(/line\.index\.truth-[0-9a-f]{8}$/)
    const second = await truthOf(queries)
    expect(second).toEqual({ ...first, state: 'read' })
    expect(Array.from(second.truth.distances)).toEqual([0, 1, 1, 3])
  })

  it('recomputes them for another k, other queries or another index', async () => {
    await truthOf(queries)
    expect((await truthOf(queries, 3)).state).toBe('written')
    expect((await truthOf(DenseMatrix.from([[0], [5]]))).state).toBe('written')
    await saveIndexOf(DenseMatrix.from([[0], [1], [3], [6]]))
    const { state, truth } = await truthOf(queries)
    expect([state, Array.from(truth.distances)]).toEqual(['written', [0, 1, 0, 3]])
  })

  it('tells sparse queries with the same values apart', async () => {
    await saveIndexOf(SparseMatrix.from([[[0, 1]], [[1, 1]]]))
    expect(Array.from((await truthOf(SparseMatrix.from([[[0, 1]]], 2), 1)).truth.rows)).toEqual([0])
    const other = await truthOf(SparseMatrix.from([[[1, 1]]], 2), 1)
    expect([other.state, Array.from(other.truth.rows)]).toEqual(['written', [1]])
  })

  it('uses neither a damaged file nor one that was renamed', async () => {
    const { file } = await truthOf(queries)
    const bytes = await readFile(file)
    bytes[bytes.length - 1] ^= 1
    await writeFile(file, bytes)
    expect((await truthOf(queries)).state).toBe('written')
    const other = await truthOf(queries, 1)
    await writeFile(file, await readFile(other.file))
    const again = await truthOf(queries)
    expect([again.state, again.truth.k]).toEqual(['written', 2])
  })

  it('does without a file where none can be written', async () => {
    const { file } = await truthOf(queries)
    await rm(file)
    await mkdir(file)
    const { state, truth } = await truthOf(queries)
    expect([state, truth.counts.length]).toEqual(['not written', 2])
    expect((await readdir(folder)).filter(name => name.endsWith('.tmp'))).toEqual([])
  })
})
