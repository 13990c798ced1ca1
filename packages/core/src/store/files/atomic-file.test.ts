import { spawnSync } from 'node:child_process'
import files, { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeAtomically } from './atomic-file.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'x.bin')
})
afterEach(() => rm(folder, { recursive: true }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('writeAtomically', () => {
  it('writes the chunks in order and leaves no other file', async () => {
    await writeAtomically(path, {}, async write => {
      await write(bytes('one, '))
      await write(bytes('two'))
    })
    expect(await readFile(path, 'utf8')).toBe('one, two')
    expect(await readdir(folder)).toEqual(['x.bin'])
  })

  it('refuses to overwrite before anything is written, unless asked', async () => {
    await writeFile(path, 'old')
    let filled = false
    const fill = async (write: (chunk: Uint8Array) => Promise<void>) => {
      filled = true
      await write(bytes('new'))
    }
    await expect(writeAtomically(path, {}, fill)).rejects.toMatchObject({ code: 'FILE_EXISTS', where: { file: path } })
    expect(filled).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('old')
    await writeAtomically(path, { overwrite: true }, fill)
    expect(await readFile(path, 'utf8')).toBe('new')
  })

  it.each([0o600, 0o640, 0o666, 0o755])('keeps the mode %o of what it replaces', async mode => {
    await writeFile(path, 'old')
    await chmod(path, mode)
    await writeAtomically(path, { overwrite: true }, write => write('new'))
    expect((await stat(path)).mode & 0o7777).toBe(mode)
  })

  it.each([true, false])('flushes the folder once the file has its name (overwrite: %s)', async overwrite => {
    const flushed: string[] = []
    const { open } = files
    files.open = async (opened, ...more) => {
      const handle = await open(opened, ...more)
      const { sync } = handle
      handle.sync = async () => {
        flushed.push(`${String(opened) === folder ? 'folder' : 'file'}: ${await readdir(folder)}`)
        return sync.call(handle)
      }
      return handle
    }
    try {
      await writeAtomically(path, { overwrite }, write => write('new'))
    } finally {
      files.open = open
    }
    expect(flushed).toEqual([expect.stringMatching(/^file: .*\.tmp$/), expect.stringMatching(/^folder: .*x\.bin\b/)])
  })

  it('refuses to overwrite what appeared while it was writing', async () => {
    const writing = writeAtomically(path, {}, async write => {
      await write(bytes('mine'))
      await writeFile(path, 'theirs')
    })
    await expect(writing).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(await readFile(path, 'utf8')).toBe('theirs')
    expect(await readdir(folder)).toEqual(['x.bin'])
  })

  it('keeps the old file and removes its own when filling fails', async () => {
    await writeFile(path, 'old')
    const writing = writeAtomically(path, { overwrite: true }, async write => {
      await write(bytes('half'))
      throw new TypeError('no more')
    })
    await expect(writing).rejects.toThrow(new TypeError('no more'))
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['x.bin'])
  })

  it('keeps the old file when the signal fires', async () => {
    await writeFile(path, 'old')
    const control = new AbortController()
    const writing = writeAtomically(path, { overwrite: true, signal: control.signal }, async write => {
      await write(bytes('half'))
      control.abort()
      await write(bytes('other half'))
    })
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['x.bin'])
  })

  it('keeps the old file when the process is killed', async () => {
    await writeFile(path, 'old')
    const script = join(folder, 'script.mjs')
    const source = join(import.meta.dirname, 'atomic-file.ts')
    buildSync({ entryPoints: [source], bundle: true, format: 'esm', outfile: script, logLevel: 'silent' })
    const program = `
      const { writeAtomically } = await import(${JSON.stringify(pathToFileURL(script).href)})
      await writeAtomically(${JSON.stringify(path)}, { overwrite: true }, async write => {
        await write(new Uint8Array(1000))
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => {})
      })`
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', program]).signal).toBe('SIGKILL')
    expect(await readFile(path, 'utf8')).toBe('old')
  })

  it('replaces what a link points to, not the link', async () => {
    await writeFile(path, 'old')
    const link = join(folder, 'link')
    await symlink('x.bin', link)
    await writeAtomically(link, { overwrite: true }, write => write('new'))
    expect(await readFile(path, 'utf8')).toBe('new')
  })

  it('says what is wrong with the path', async () => {
    const fill = async () => {}
    const missing = join(folder, 'none', 'x.bin')
    await expect(writeAtomically(missing, {}, fill)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await mkdir(path)
    await expect(writeAtomically(path, { overwrite: true }, fill)).rejects.toMatchObject({ code: 'FILE_ACCESS' })
    await expect(writeAtomically('/dev/null', { overwrite: true }, fill)).rejects.toThrow('is not a regular file')
  })
})
