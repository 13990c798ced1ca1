import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'
import { TestFolder, vicinal } from './test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const nothing = { write: () => {} }
const io = {
  stdout: nothing,
  stderr: nothing,
  stdin: new Blob().stream(),
  env: {},
  signal: new AbortController().signal,
}

/** The words of every command that does something, and how many arguments it needs. */
function leaves(command: Command, words: string[] = []): { words: string[]; needs: number }[] {
  if (command.commands.length > 0) return command.commands.flatMap(one => leaves(one, [...words, one.name()]))
  return [{ words, needs: command.registeredArguments.filter(({ required }) => required).length }]
}

const commands = leaves(createProgram(io)).map(command => ({ name: command.words.join(' '), ...command }))
/** Those that need a file or a store. */
const readers = commands.filter(({ name, needs }) => needs > 0 && !['completion', 'memory create'].includes(name))

/** What a command needs besides. */
const extra: Record<string, string[]> = {
  ...{ train: ['--out', folder.at('out')], index: ['--out', folder.at('out')], site: ['--out', folder.at('site')] },
  ...{ explain: ['--text', 'x'], predict: ['--text', 'x'], convert: ['--to', 'jsonl'] },
  ...{ 'memory insert': ['--text', 'x', '--value', '1'], 'memory query': ['--text', 'x'] },
  ...{ 'memory reward': ['--id', 'x', '--text', 'x'] },
}

/** The one line on stderr, as an object. */
async function failure(argv: readonly string[]) {
  const { code, stdout, stderr } = await vicinal([...argv, '--json'])
  expect([stdout, stderr.split('\n')]).toEqual(['', [expect.any(String), '']])
  return { exit: code, ...JSON.parse(stderr).error }
}

describe('with --json', () => {
  it('knows all commands', () => {
    expect(commands.length).toBeGreaterThan(18)
  })

  it.each(commands)('$name reports an unknown flag as JSON', async ({ name, words }) => {
    const error = await failure([...words, ...(extra[name] ?? []), '--nonsense'])
    expect(error).toMatchObject({ exit: 2, code: 'UNKNOWN_NAME', hint: expect.any(String) })
  })

  it.each(readers)('$name reports a missing argument as JSON', async ({ words }) => {
    expect(await failure(words)).toMatchObject({
      exit: 2,
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/missing|specified/),
    })
  })

  it.each(readers)('$name reports a missing file as JSON', async ({ name, words, needs }) => {
    const paths = Array.from({ length: needs }, (_, i) =>
      name === 'memory reward' && i === 1 ? '1' : folder.at(`none${i}`),
    )
    const error = await failure([...words, ...paths, ...(extra[name] ?? [])])
    expect(error).toMatchObject({ exit: 4, code: 'FILE_NOT_FOUND', message: expect.stringContaining('none0') })
  })

  it('reports an unknown command, and none, as JSON', async () => {
    expect(await failure(['trian'])).toMatchObject({ code: 'UNKNOWN_NAME', hint: expect.stringContaining('train') })
    expect(await failure([])).toMatchObject({ code: 'INVALID_OPTION', message: 'you gave no command' })
  })
})
