import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Child, startChild, writeScript } from './child-store.cases.ts'
import { MemoryStore } from './memory-store.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
})
afterEach(() => rm(folder, { recursive: true }))

describe('a store that another process writes', () => {
  const hold = `
    const store = await MemoryStore.create(process.argv[2])
    await store.insert('ships', 1)
    console.log('holding')
    setInterval(() => {}, 1000)`

  it('is refused with the number of that process, also while it is stopped, and free once it is killed', async () => {
    const script = await writeScript(folder, hold)
    const child = startChild(process.execPath, [script, path])
    await child.ready
    const message = `process ${child.process.pid} is writing this store`
    await expect(MemoryStore.open(path)).rejects.toThrow(message)
    child.process.kill('SIGSTOP')
    await expect(MemoryStore.open(path)).rejects.toThrow(message)
    child.process.kill('SIGKILL')
    await child.output
    const store = await MemoryStore.open(path)
    expect(store.query('ships')).toMatchObject([{ value: 1 }])
    expect((await readdir(path)).filter(file => file.endsWith('.sock'))).toHaveLength(1)
    await store.close()
  })

  it('can be read meanwhile', async () => {
    const script = await writeScript(folder, hold)
    const child = startChild(process.execPath, [script, path])
    await child.ready
    const reader = await MemoryStore.open(path, { readOnly: true })
    expect(reader.query('ships')).toMatchObject([{ value: 1 }])
    await reader.close()
    child.process.kill('SIGKILL')
    await child.output
  })

  it('is not kept alive by a store that nobody closed', async () => {
    const script = await writeScript(
      folder,
      `const store = await MemoryStore.create(process.argv[2])
      await store.insert('ships', 1)
      console.log('done')`,
    )
    expect(await startChild(process.execPath, [script, path]).output).toBe('done\n')
  })
})

describe('a value that is nested too deep', () => {
  it('is refused also by a thread whose stack could hold it, and the store opens again', async () => {
    const script = await writeScript(
      folder,
      `const store = await MemoryStore.create(process.argv[2])
      let value = 1
      for (let i = 0; i < 20000; i++) value = [value]
      JSON.stringify(value) // this stack can
      await store.insert('deep', value).catch(error => console.log(error.message))
      await store.insert('ships', 1)
      await store.close()`,
    )
    const child = startChild('bash', [
      '-c',
      'ulimit -s 60000; exec "$@"',
      '-',
      process.execPath,
      '--stack-size=50000',
      script,
      path,
    ])
    expect(await child.output).toBe('the value is nested more than 200 deep\n')
    expect(child.errors()).toBe('')
    const store = await MemoryStore.open(path)
    expect(store.size).toBe(1)
    await store.close()
  })
})

describe('a full disk', () => {
  // Fills the disk, opens what is there, makes room and goes on.
  const fillUp = `
    import { rmSync, writeFileSync } from 'node:fs'
    const [, , path, ballast] = process.argv
    if (ballast) writeFileSync(ballast, Buffer.alloc(2 ** 19))
    const store = await MemoryStore.create(path, { snapshotOperations: 1e9 })
    const tell = facts => console.log(JSON.stringify(facts))
    let kept = 0
    try {
      for (;;) {
        await Promise.all(Array.from({ length: 5 }, (_, i) => store.insert('word' + i, 'x'.repeat(9000)).then(() => kept++)))
      }
    } catch ({ code, message, hint, cause }) {
      tell({ code, message, hint, cause: cause !== undefined })
    }
    const refused = []
    await store.insert('more', 1).catch(({ code }) => refused.push(code))
    try { store.query('word1') } catch ({ code }) { refused.push(code) }
    await store.close().catch(({ code }) => refused.push(code))
    const reader = await MemoryStore.open(path, { readOnly: true })
    tell({ refused, keptAll: kept > 5 && reader.size >= kept, faults: await reader.check() })
    await reader.close()
    if (ballast) {
      rmSync(ballast)
      const again = await MemoryStore.open(path)
      await again.insert('there is room', 1)
      tell({ faults: await again.check() })
      await again.close()
    }`
  const afterwards = { refused: ['FILE_ACCESS', 'FILE_ACCESS', 'FILE_ACCESS'], keptAll: true, faults: [] }

  // A small disk of our own where the system lets us have one; else a limit on the size of files.
  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0

  const starve = async (source: string): Promise<Child> => {
    const script = await writeScript(folder, source)
    const run = canMount
      ? [
          'unshare',
          '-rm',
          'sh',
          '-c',
          'mkdir "$2" && mount -t tmpfs -o size=2m tmpfs "$2" && exec "$0" "$1" "$2/store" "$2/ballast"',
        ]
      : ['bash', '-c', 'trap "" XFSZ; ulimit -f 24000; exec "$0" "$1" "$2"']
    const [command, ...words] = run as [string, ...string[]]
    return startChild(command, [...words, process.execPath, script, path])
  }

  it('is said, loses nothing acknowledged, and stops the store until it is opened again', async () => {
    const child = await starve(fillUp)
    const lines = (await child.output).trim().split('\n')
    const told = lines.map(line => (line === '' ? child.errors() : JSON.parse(line)))
    expect(told[0]).toMatchObject({ code: 'FILE_ACCESS', cause: true })
    expect(told[0].hint).toContain('Acknowledged changes are kept.')
    expect(told[1]).toEqual(afterwards)
    if (!canMount) return
    expect(told[0].message).toContain('no space left on the disk')
    expect(told[2]).toEqual({ faults: [] })
  })

  it('does not end the process of a collection: its call is rejected', async () => {
    const child = await starve(`
      const store = await CollectionStore.create(process.argv[2])
      let kept = 0
      try {
        for (;; kept++) await store.upsert({ id: kept, text: 'x'.repeat(9000) })
      } catch ({ code }) {
        console.log(code)
      }
      await new Promise(resume => setImmediate(resume))
      await store.close().catch(({ code }) => console.log(code))
      const reader = await CollectionStore.open(process.argv[2], { readOnly: true })
      console.log(kept > 5 && reader.count() >= kept)
      await reader.close()`)
    expect(await child.output).toBe('FILE_ACCESS\nFILE_ACCESS\ntrue\n')
    expect(child.errors()).toBe('')
  })
})
