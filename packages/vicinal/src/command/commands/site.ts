// `vicinal site`: a page with the model in it, as static files.

import { writeSite } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { addRequiredFlag } from '../flags/required-flag.ts'
import type { GlobalOptions } from '../program.ts'
import { formatBytes } from '../terminal/quantity.ts'
import { oneLine } from '../terminal/table.ts'
import { version } from '../version.ts'

interface Flags extends GlobalOptions {
  readonly out: string
  readonly test?: readonly string[]
}

const examples = `
The folder holds static files: put it on any web host, also below a path. The engine
and the models run in the visitor's browser. Nothing that visitors type leaves it, and
their corrections stay in it; they can download them as a file for \`vicinal train\`.

If the folder has a site that was written before, that site is replaced, and other files
stay. A folder with anything else in it is refused.

Examples:
  vicinal site titles.model --out public
  vicinal site titles.model --test test.tsv --out public   # the page shows quality per label
  vicinal site titles.model books.collection --out public
  vicinal site tagger=titles.model --out public && npx http-server public   # to try it`

export function addSite(program: Command, io: CommandIo): void {
  const command = program
    .command('site')
    .argument('<files...>', 'models, indexes and collections; name=file shows one under another name')
    .description('Write a web site that needs no server: the page, the engine and your models, as static files.')
    .summary('write a web site that needs no server')
    .helpGroup('More:')
    .addHelpText('after', examples)
    .action((files: readonly string[], _: unknown, self: Command) => site(files, self.optsWithGlobals<Flags>(), io))
  addRequiredFlag(command, '--out <folder>', 'folder to write the site to')
  command.option('--test <files...>', 'measure models on these labeled items; model=file if there are several models')
}

async function site(paths: readonly string[], { out, test, json }: Flags, io: CommandIo): Promise<void> {
  const { pageFolder } = await import('@vicinal/web')
  const options = { page: pageFolder, version, signal: io.signal, ...(test && { tests: test }) }
  const { files, bytes } = await writeSite(out, paths, options)
  if (json) return printJson(io, { out, files, bytes })
  for (const { kind, name, bytes, quality } of files) {
    io.stderr.write(`  ${kind} ${name}, ${formatBytes(bytes)}${quality === undefined ? '' : ', with its quality'}\n`)
  }
  io.stdout.write(`wrote ${oneLine(out)}, ${formatBytes(bytes)} in all\n`)
}
