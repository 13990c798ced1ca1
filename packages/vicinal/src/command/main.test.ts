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

      Finds neighbors, labels with large vocabularies, and remembers what it learns.

      Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)
        -h, --help                show this help

      Data:
        inspect <file>            show what is in a data file or a model
        convert <input> <output>  write a data file in another format

      More:
        completion <shell>        print a completion script for your shell
        help [command]            show the help of a command

      Data goes to stdout, talk and progress to stderr.

      Environment:
        DEBUG  print the stack trace of an error

      Exit codes:
        0      all went well
        1      a bug in Vicinal
        2      wrong usage: an unknown command, flag or value
        3      bad data: the message says where
        4      a file is missing, in the way, not readable, or no model
        130    stopped by Ctrl-C

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

  it('explains inspect', async () => {
    expect((await vicinal(['inspect', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal inspect [options] <file>

      Show what is in a data file or a model file: sizes, values, labels, texts.

      Arguments:
        file                      data file in any format we read, gzipped or not, or
                                  a model file

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first

      Options:
        -h, --help                show this help

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Examples:
        vicinal inspect train.txt.gz                         # rows, features, labels
        vicinal inspect books.csv --text-column title        # a table with text
        vicinal inspect train.txt.gz --label-names names.txt # the labels by name
        vicinal inspect songs.model --json                   # a model, for a program
      "
    `)
  })

  it('explains convert', async () => {
    expect((await vicinal(['convert', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal convert [options] <input> <output>

      Write a data file in another format. What that format cannot hold is dropped
      only if you say so.

      Arguments:
        input                     data file in any format we read, gzipped or not
        output                    file to write; its ending tells the format, .gz
                                  compresses

      Options:
        --to <name>               format of the output, where its ending does not tell
                                  (choices: "npy", "fvecs", "xmc", "jsonl",
                                  "svmlight")
        --drop <part>             leave this part of the data out; repeatable
                                  (choices: "ids", "texts", "features",
                                  "feature-names", "labels", "label-names")
        --force                   overwrite the output file
        -h, --help                show this help

      Reading data:
        --format <name>           format of the data, where ending and contents do not
                                  tell (choices: "hdf5", "parquet", "npy", "idx",
                                  "fvecs", "bvecs", "ivecs", "arff", "xmc", "jsonl",
                                  "svmlight", "tsv", "csv")
        --text-column <name>      column or field with the text; repeatable (default:
                                  text, title, …)
        --label-column <name>     column or field with the labels (default: labels,
                                  tags, …)
        --id-column <name>        column or field with the key of a row (default: id,
                                  …)
        --label-separator <text>  what separates the labels in a cell (default: white
                                  space, ; or |)
        --label-names <file>      file of label names: one a line, or lines of key,
                                  tab, name
        --index-base <n>          number of the first feature in svmlight files
                                  (default: 1) (choices: "0", "1")
        --part <name>             which part of a file with several: train, test, …
        --skip-bad-rows           leave out bad rows and count them, instead of
                                  stopping at the first

      Global Options:
        --version                 print the version
        --json                    print one machine-readable object instead of text
        --threads <n>             threads to work with (default: one per core)
        --seed <n>                seed of all that is random (default: 1)

      Examples:
        vicinal convert books.csv books.jsonl.gz          # table to JSON lines
        vicinal convert train.txt train.svm               # xmc to svmlight
        vicinal convert images-idx3-ubyte.gz images.npy --drop labels
        vicinal convert query.npy vectors --to fvecs --force
      "
    `)
  })

  it('explains completion', async () => {
    expect((await vicinal(['completion', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal completion [options] <shell>

      Print a script that completes vicinal commands and flags in your shell.

      Arguments:
        shell          the shell (choices: "bash", "zsh", "fish")

      Options:
        -h, --help     show this help

      Global Options:
        --version      print the version
        --json         print one machine-readable object instead of text
        --threads <n>  threads to work with (default: one per core)
        --seed <n>     seed of all that is random (default: 1)

      Examples:
        eval "$(vicinal completion bash)"                                     # in ~/.bashrc
        source <(vicinal completion zsh)                                      # in ~/.zshrc
        vicinal completion fish > ~/.config/fish/completions/vicinal.fish
      "
    `)
  })

  it('has examples at the end of the help of every command', async () => {
    for (const command of ['inspect', 'convert', 'completion']) {
      const { stdout } = await vicinal([command, '--help'])
      expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  .*vicinal ${command}.*\\n)+$`))
    }
  })

  it('prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await vicinal(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [['inspet'], "unknown command 'inspet'", 'Did you mean inspect?'],
    [['inspect', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['--wrong'], "unknown option '--wrong'", 'Run the command with --help to see what it takes.'],
    [['inspect'], "missing required argument 'file'", 'Run the command with --help to see what it takes.'],
    [
      ['inspect', 'a', 'b'],
      "too many arguments for 'inspect'. Expected 1 argument but got 2.",
      'Run the command with --help to see what it takes.',
    ],
    [
      ['inspect', 'a', '--index-base', '2'],
      "option '--index-base <n>' argument '2' is invalid. Allowed choices are 0, 1.",
      'Run the command with --help to see what it takes.',
    ],
    [
      ['inspect', 'a', '--threads', '0'],
      "option '--threads <n>' argument '0' is invalid. Expected a whole number from 1 to 1024.",
      'Run the command with --help to see what it takes.',
    ],
    [
      ['--seed', '1.5', 'inspect', 'a'],
      "option '--seed <n>' argument '1.5' is invalid. Expected a whole number from 0 to 4294967295.",
      'Run the command with --help to see what it takes.',
    ],
  ])('ends with 2 and says why after: vicinal %j', async (argv, message, hint) => {
    expect(await vicinal(argv)).toEqual({ code: 2, stdout: '', stderr: `vicinal: ${message}\n  hint: ${hint}\n` })
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
