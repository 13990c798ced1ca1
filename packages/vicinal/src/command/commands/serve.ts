// `vicinal serve`: models, indexes, collections and memories over HTTP, until Ctrl-C.

import type { ServeOptions } from '@vicinal/server/http'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { serveUntilStopped, threadScript } from '../serving.ts'
import { version } from '../version.ts'

interface Flags extends GlobalOptions {
  readonly host: string
  readonly port: number
  readonly tokenFile?: string
  readonly open?: boolean
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly maxBody: number
  readonly timeout: number
  readonly test?: readonly string[]
  readonly page: boolean
}

const examples = `
Each file is served under its name without the extension; name=path gives another.
Changes are on disk before they are acknowledged: those of a store in the store,
those of a model or a collection file in a folder beside it (<file>.changes).

On any address but this machine's own, tokens are required. A token file has one
token a line: \`read <token>\` or \`write <token>\`.

Examples:
  vicinal serve titles.model                           # then open the address it prints
  vicinal serve titles.model --test test.tsv           # the page shows quality per label
  vicinal serve tagger=titles.model books.collection notes --port 8080
  vicinal serve titles.model --host 0.0.0.0 --allow-host tags.example.org --token-file tokens`

export function addServe(program: Command, io: CommandIo): void {
  program
    .command('serve')
    .argument('<files...>', 'models, indexes, collections and memory stores')
    .description(
      'Serve models, indexes, collections and memories: a page for people at /, an HTTP API for programs, documented at /docs.',
    )
    .summary('serve models, collections and memories over HTTP')
    .helpGroup('More:')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any that is free', wholeNumber(0, 65_535), 4747)
    .option('--token-file <file>', 'require one of the tokens in this file')
    .option('--open', 'serve other machines without tokens')
    .option('--allow-host <names...>', 'names of this service in the Host header, such as that of a proxy')
    .option('--allow-origin <origins...>', 'origins whose pages may call, such as https://example.org')
    .option('--max-body <MB>', 'largest request', wholeNumber(1, 1024), 16)
    .option('--test <files...>', 'measure models on these labeled items; model=file if several models are served')
    .option('--no-page', 'serve the API alone, without the page at /')
    .option('--timeout <seconds>', 'longest request', wholeNumber(1, 3600), 30)
    .addHelpText('after', examples)
    .action(async (files: readonly string[], _: unknown, self: Command) => {
      await serveFiles(files, self.optsWithGlobals<Flags>(), io)
    })
}

async function serveFiles(files: readonly string[], flags: Flags, io: CommandIo): Promise<void> {
  // Loaded here, so that other commands do not load it.
  const { readTokens, serve } = await import('@vicinal/server/http')
  const { pageFolder } = await import('@vicinal/web')
  const tokens = flags.tokenFile === undefined ? [] : await readTokens(flags.tokenFile)
  const serving = await serve(files, {
    ...optionsOf(flags),
    ...(flags.page && { page: pageFolder }),
    tokens,
    signal: io.signal,
    onBug: error => io.stderr.write(`${stackOf(error)}\n`),
  })
  const { url, service } = serving
  if (flags.json) printJson(io, { url, served: service.served })
  else {
    io.stdout.write(`${url}\n`)
    for (const { kind, name } of service.served) io.stderr.write(`  ${kind} ${name}\n`)
    const what = flags.page ? `Open ${url} in a browser. API: ${url}/docs.` : `API: ${url}/docs.`
    io.stderr.write(`${what} Press Ctrl-C to stop.\n`)
  }
  await serveUntilStopped(serving, io)
}

function optionsOf({
  host,
  port,
  open = false,
  allowHost = [],
  allowOrigin = [],
  maxBody,
  timeout,
  test,
}: Flags): ServeOptions {
  const thread = threadScript()
  return {
    ...{ host, port, open, version, hosts: allowHost.map(name => name.toLowerCase()), origins: allowOrigin },
    ...{ bodyBytes: maxBody * 2 ** 20, timeoutMs: timeout * 1000 },
    ...(thread && { thread }),
    ...(test && { tests: test }),
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
