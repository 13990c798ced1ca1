import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, vicinal } from './test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

describe('vicinal', () => {
  it('explains itself', async () => {
    const { code, stdout, stderr } = await vicinal(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "Usage: vicinal <command> [options]

      Find nearest neighbors, label with thousands of labels, and remember what
      helped.

      Options:
        --version                   print the version
        --json                      print one JSON object instead of text
        --threads <n>               number of threads (default: one per core)
        --seed <n>                  random seed (default: 1)
        -h, --help                  show this help

      Label:
        train <data>                train a classifier on labeled data
        predict <model> [data]      suggest labels for rows of data
        evaluate <model> <data>     measure how good the labels of a model are
        tune <data>                 find the options that suit your data
        explain <model>             show why an item gets its labels

      Search:
        index <vectors>             build an index of vectors or texts
        search <index> [queries]    find the nearest items of an index
        add <collection> <data>     store documents in a collection
        remove <collection> <ids…>  remove documents from a collection
        curve <index> <queries>     measure recall against time per query

      Remember:
        memory                      keep, find, reward and forget memories

      Data:
        inspect <file>              show what is in a data file, a model or an index
        convert <input> <output>    convert a data file to another format

      More:
        serve <files…>              serve models, collections and memories over HTTP
        site <files…>               write a web site that needs no server
        mcp <files…>                give an agent a memory, labels and documents (MCP)
        demo                        learn from bundled titles, then label new ones
        completion <shell>          print a completion script for your shell
        help [command]              show the help of a command

      Results go to stdout; messages and progress go to stderr (every ten seconds if
      stderr is not a terminal).
      If a command fails with --json, the last line on stderr is {"error": {"code", "message", "hint", "where"}}.

      Environment:
        DEBUG  print the stack trace of an error

      Exit codes:
        0      success
        1      a bug in Vicinal
        2      wrong usage: an unknown command, flag or value
        3      bad data: the message says where
        4      a file is missing, unreadable, already there or not a model; the disk is full
        130    stopped by Ctrl-C (143: SIGTERM, 129: SIGHUP)

      Run \`vicinal <command> --help\` for a command's flags and examples.
      "
    `)
  })

  it('shows its help on stderr and fails where no command is given', async () => {
    const { code, stdout, stderr } = await vicinal([])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe((await vicinal(['--help'])).stdout)
  })

  it('shows the help of a command in both ways', async () => {
    const { stdout } = await vicinal(['inspect', '--help'])
    expect(stdout).toMatch(/^Usage: vicinal inspect/)
    expect(await vicinal(['help', 'inspect'])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it('prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await vicinal(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [['inspet'], "unknown command 'inspet'", 'Did you mean inspect?'],
    [['inspect', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['--wrong'], "unknown option '--wrong'", 'Run the command with --help to see its options.'],
    [['inspect'], "missing required argument 'file'", 'Run the command with --help to see its options.'],
    [
      ['inspect', 'a', 'b'],
      "too many arguments for 'inspect'. Expected 1 argument but got 2.",
      'Run the command with --help to see its options.',
    ],
    [
      ['inspect', 'a', '--index-base', '2'],
      "option '--index-base <n>' argument '2' is invalid. Allowed choices are 0, 1.",
      'Run the command with --help to see its options.',
    ],
    [
      ['inspect', 'a', '--threads', '0'],
      "option '--threads <n>' argument '0' is invalid. Expected a whole number from 1 to 1024.",
      'Run the command with --help to see its options.',
    ],
    [
      ['--seed', '1.5', 'inspect', 'a'],
      "option '--seed <n>' argument '1.5' is invalid. Expected a whole number from 0 to 4294967295.",
      'Run the command with --help to see its options.',
    ],
  ])('ends with 2 and says why after: vicinal %j', async (argv, message, hint) => {
    expect(await vicinal(argv)).toEqual({ code: 2, stdout: '', stderr: `vicinal: ${message}\n  hint: ${hint}\n` })
    const json = await vicinal([...argv, '--json'])
    const code = message.startsWith('unknown') ? 'UNKNOWN_NAME' : 'INVALID_OPTION'
    expect([json.code, json.stdout, JSON.parse(json.stderr)]).toEqual([2, '', { error: { code, message, hint } }])
  })

  it('tells a program too that no command was given', async () => {
    for (const argv of [['--json'], ['memory', '--json']]) {
      const { code, stdout, stderr } = await vicinal(argv)
      expect([code, stdout]).toEqual([2, ''])
      expect(JSON.parse(stderr)).toEqual({ error: { code: 'INVALID_OPTION', message: 'you gave no command' } })
    }
  })

  it.each([
    ...['train', 'predict', 'evaluate', 'tune', 'explain', 'index', 'search', 'curve', 'inspect', 'convert'],
    ...['create', 'insert', 'query', 'reward', 'remove', 'replay', 'check', 'export'].map(name => `memory ${name}`),
  ])('tells a program in JSON that a file of %s is missing or a word is wrong', async command => {
    const words = [...command.split(' '), folder.at('none.txt'), folder.at('neither.txt')]
    for (const argv of [words, [...words, '--out', folder.at('x.model')], [...words, '--text', 'x', '--value', '1']]) {
      const { code, stdout, stderr } = await vicinal([...argv, '--json'])
      expect([stdout, code > 1]).toEqual(['', true])
      expect(JSON.parse(stderr).error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }
  })

  it('refuses an unknown format and lists the known ones', async () => {
    const { code, stderr } = await vicinal(['inspect', 'a', '--format', 'excel'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^vicinal: option '--format <name>' argument 'excel' is invalid\. Allowed choices are .*xmc.*\n/,
    )
  })

  it('ends with 130 where the work was stopped', async () => {
    const file = folder.file('small.txt', '1 1 1\n0 0:1\n')
    expect(await vicinal(['inspect', file], { signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'vicinal: stopped before the work was done\n',
    })
  })
})
