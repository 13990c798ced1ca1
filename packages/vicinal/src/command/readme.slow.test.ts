import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BuiltCommand, packageFolder } from './built-command.cases.ts'
import { TestFolder } from './test-run.ts'

const root = resolve(packageFolder, '..', '..')
const section = readFileSync(join(root, 'README.md'), 'utf8').split('## The command')[1] ?? ''
const commands = (/```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '').trim().split('\n')
const vicinal = new BuiltCommand()
const folder = new TestFolder()

/** A checkout in small: the data, and the command on the path. */
beforeAll(async () => {
  await vicinal.build()
  symlinkSync(join(root, 'data'), folder.at('data'))
  mkdirSync(folder.at('bin'))
  writeFileSync(folder.at('bin/vicinal'), `#!/bin/sh\nexec '${process.execPath}' '${vicinal.script}' "$@"\n`)
  chmodSync(folder.at('bin/vicinal'), 0o755)
})
afterAll(() => {
  vicinal.remove()
  folder.remove()
})

function runInShell(line: string): { status: number | null; stderr: string } {
  const env = { ...process.env, PATH: `${folder.at('bin')}:${process.env.PATH}` }
  return spawnSync('sh', ['-c', line], { cwd: folder.path, env, encoding: 'utf8' })
}

describe('the commands of the README', () => {
  it('are there', () => {
    expect(commands.filter(line => line.includes('vicinal ')).length).toBeGreaterThan(20)
  })

  // One after the other: each uses what those before it have made.
  it.each(commands)(
    '%s',
    line => {
      const { status, stderr } = runInShell(line)
      expect([status, stderr.includes('hint:') ? stderr : '']).toEqual([0, ''])
    },
    120_000,
  )
})
