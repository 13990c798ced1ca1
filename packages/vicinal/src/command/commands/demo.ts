// `vicinal demo`: learns from the bundled titles, shows quality and cost, and suggests subjects
// for new titles: on a page or, without a terminal, as text.

import type { Classifier } from '@vicinal/core'
import { readTextBatches } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { readTitles, type Titles } from '../demo/data.ts'
import { type DemoModel, learnTitles } from '../demo/model.ts'
import { demoJson, formatData, formatMeasured, formatSuggestions } from '../demo/report.ts'
import { serveDemo } from '../demo/serve-demo.ts'
import type { GlobalOptions } from '../program.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { demoStages } from '../terminal/stages.ts'

/** Neither in the train nor in the test titles. */
const unseenTitles = [
  'Sailing ships and steamers',
  'Knitting patterns from Norway',
  'The ethics of animal experiments',
] as const

const examples = `
In a terminal, the demo serves a page until Ctrl-C. Otherwise it prints what it learned,
and ends.

Examples:
  vicinal demo              # then open the address it prints
  vicinal demo --no-serve   # without a page: type titles here
  vicinal demo --json`

interface Flags extends GlobalOptions {
  /** Undefined if neither flag was given. */
  readonly serve?: boolean
}

export function addDemo(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('Learn from 53,928 bundled titles with subjects, then suggest subjects for new titles.')
    .summary('learn from bundled titles, then label new ones')
    .helpGroup('More:')
    .option('--serve', 'serve the page even if there is no terminal')
    .option('--no-serve', 'print everything as text, and serve no page')
    .addHelpText('after', examples)
    .action(async (_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      const titles = await withProgress(io, demoStages, onProgress => readTitles({ signal: io.signal, onProgress }))
      const { serve = io.stdout.isTTY === true && !flags.json } = flags
      if (serve) await serveDemo(titles, flags, io)
      else await demo(titles, flags, io)
    })
}

export async function demo(titles: Titles, { json, threads, seed }: GlobalOptions, io: CommandIo): Promise<void> {
  const { signal } = io
  if (!json) io.stdout.write(formatData(titles))
  const learned = await withProgress(io, demoStages.slice(1), onProgress => {
    return learnTitles(titles, { ...(threads !== undefined && { threads }), signal, onProgress }, seed)
  })
  try {
    throwIfAborted(signal)
    if (json) printJson(io, demoJson(learned, unseenTitles))
    else await show(learned, titles, io)
  } finally {
    learned.model.free()
  }
}

async function show(learned: DemoModel, { test }: Titles, io: CommandIo): Promise<void> {
  io.stdout.write(`\n${formatMeasured(learned, test)}`)
  for (const title of unseenTitles) io.stdout.write(`\n${formatSuggestions(learned.model, title)}`)
  if (io.stdin.isTTY) await answerTyped(learned.model, io)
  io.stderr.write('\nFor your own data: vicinal train --help\n')
}

/** Takes titles until an empty line, the end of the input or Ctrl-C. */
async function answerTyped(model: Classifier, io: CommandIo): Promise<void> {
  io.stderr.write('\nYour turn: type a title, or press Enter to quit.\n')
  for await (const title of typedLines(io)) {
    if (title.trim() === '') return
    io.stdout.write(`\n${formatSuggestions(model, title)}\n`)
  }
  io.stderr.write('\n') // Ctrl-C and Ctrl-D leave the cursor behind the prompt
}

async function* typedLines({ stdin, stderr, signal }: CommandIo): AsyncGenerator<string> {
  const aborted = new Promise<{ done: true }>(resolve => {
    signal.addEventListener('abort', () => resolve({ done: true }), { once: true })
  })
  const batches = readTextBatches(stdin, { name: '(stdin)' })
  while (!signal.aborted) {
    stderr.write('> ')
    const next = await Promise.race([batches.next(), aborted])
    if (next.done) return
    yield* next.value.texts
  }
}
