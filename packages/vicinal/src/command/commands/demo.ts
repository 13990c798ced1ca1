// `vicinal demo`: learns from the titles that come with it, shows how good that is and what it costs, and suggests subjects
// for titles it has never seen: three of ours, then those that somebody types.

import type { Classifier } from '@vicinal/core'
import { readTextBatches } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { readTitles, type Titles } from '../demo/data.ts'
import { type DemoModel, learnTitles } from '../demo/model.ts'
import { demoJson, formatData, formatMeasured, formatSuggestions } from '../demo/report.ts'
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
Examples:
  vicinal demo
  vicinal demo --json`

export function addDemo(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('Learn from 53,928 bundled titles with subjects, then suggest subjects for new titles.')
    .summary('learn from bundled titles, then label new ones')
    .helpGroup('More:')
    .addHelpText('after', examples)
    .action(async (_flags: unknown, self: Command) => {
      const titles = await withProgress(io, demoStages, onProgress => readTitles({ signal: io.signal, onProgress }))
      await demo(titles, self.optsWithGlobals<GlobalOptions>(), io)
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
