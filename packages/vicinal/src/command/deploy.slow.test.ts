// The files in deploy/: what they say is well-formed, and the commands they name are run.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LcifClassifier } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, packageFolder } from './built-command.cases.ts'
import { TestFolder } from './test-run.ts'

const deploy = join(packageFolder, '..', '..', 'deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const command = new BuiltCommand()
const folder = new TestFolder()

beforeAll(async () => {
  await command.build()
  const model = await LcifClassifier.fit([{ text: 'Sailing ships', labels: ['ships'] }], { weighting: 'none' })
  await model.save(folder.at('titles.model'))
  model.free()
  folder.file('tokens', 'write writer-writer-writer\n')
})

afterAll(() => {
  command.remove()
  folder.remove()
})

/** Runs `vicinal` with these arguments on a free port, and calls `use` with its address. */
async function served(args: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const { child, exit, stderr } = command.start([...args.map(arg => (arg === '4747' ? '0' : arg)), '--json'])
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', line => resolve(JSON.parse(String(line)).url))
    stderr.then(text => reject(new Error(text)))
  })
  await use(url.replace('0.0.0.0', '127.0.0.1')).finally(() => child.kill('SIGTERM'))
  expect(await exit).toEqual([0, null])
}

describe('the Containerfile', () => {
  const known = ['FROM', 'ARG', 'RUN', 'WORKDIR', 'VOLUME', 'USER', 'EXPOSE', 'ENV', 'HEALTHCHECK', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD'] // biome-ignore format: one line
  const instructions = read('Containerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
    .map(line => /^([A-Z]+)\s+(.*)$/.exec(line)?.slice(1) as [string, string])
  const textOf = (name: string) => instructions.find(([instruction]) => instruction === name)?.[1] ?? ''
  const list = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))
  const inFolder = (args: readonly string[]) => args.map(arg => arg.replace(/^\/data\//, `${folder.path}/`))

  it('has known instructions only, ends as an ordinary user, and pins a major version', () => {
    expect(instructions.every(one => known.includes(one[0]))).toBe(true)
    expect(textOf('FROM')).toMatch(/^docker\.io\/library\/node:\d+-slim$/)
    const order = instructions.map(([instruction]) => instruction)
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'))
    expect(textOf('USER')).toBe('node')
    expect([textOf('EXPOSE'), textOf('STOPSIGNAL'), textOf('VOLUME')]).toEqual(['4747', 'SIGTERM', '/data'])
  })

  it('starts a service that its health check accepts, and that wants a token', async () => {
    const [program, ...args] = [...list(textOf('ENTRYPOINT')), ...list(textOf('CMD'))]
    expect(program).toBe('vicinal')
    const check = (url: string) => {
      const [node = '', ...rest] = list(textOf('HEALTHCHECK').replace(/^.*CMD/, ''))
      const script = rest.map(arg => arg.replace('http://127.0.0.1:4747', url))
      return spawnSync(node === 'node' ? process.execPath : node, script).status
    }
    await served(inFolder(args), async url => {
      expect(check(url)).toBe(0)
      expect((await fetch(`${url}/v1/served`)).status).toBe(401)
      expect(check('http://127.0.0.1:9')).toBe(1)
    })
  })
})

describe('the systemd unit', () => {
  const unit = read('vicinal.service')
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []

  it('starts a service', async () => {
    const [program, ...args] = line.split(' ')
    expect(program).toBe('/usr/bin/vicinal')
    const local = args.map(arg => arg.replace(/^\/var\/lib\/vicinal\//, `${folder.path}/`))
    await served(local, async url => expect((await fetch(`${url}/ready`)).status).toBe(200))
  })

  it('writes to its own folder only, and cannot forbid compiled code', () => {
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
    expect(unit).toMatch(/^StateDirectory=vicinal$/m)
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m) // WebAssembly needs it
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!hasSystemd)('is accepted by systemd-analyze, where there is one', () => {
    const program = folder.at('bin/vicinal')
    mkdirSync(folder.at('bin'))
    copyFileSync(process.execPath, program) // any program that exists
    const path = folder.at('vicinal.service')
    writeFileSync(path, unit.replace('/usr/bin/vicinal', program))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
