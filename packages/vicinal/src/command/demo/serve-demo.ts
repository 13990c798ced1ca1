// The demo on a page: learns the titles, serves the model on this machine, and says what to try.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { throwIfAborted } from '@vicinal/core/internals'
import type { CommandIo } from '../command-io.ts'
import type { GlobalOptions } from '../program.ts'
import { serveUntilStopped, threadScript } from '../serving.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatCount, formatNumber } from '../terminal/quantity.ts'
import { demoStages } from '../terminal/stages.ts'
import { version } from '../version.ts'
import { type Titles, testTitles } from './data.ts'
import { fitTitles } from './model.ts'

/** The model is in a folder of its own, which goes with the demo: corrections are forgotten. */
export async function serveDemo(titles: Titles, flags: GlobalOptions, io: CommandIo): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-demo-'))
  try {
    const model = join(folder, 'titles.model')
    const seconds = await learn(titles, model, flags, io)
    const { serve } = await import('@vicinal/server/http')
    const { pageFolder } = await import('@vicinal/web')
    const thread = threadScript()
    const options = { page: pageFolder, nextPort: true, tests: [testTitles()], version, ...(thread && { thread }) }
    const serving = await serve([model], options)
    io.stdout.write(welcome(titles.train.rows, seconds, serving.url))
    await serveUntilStopped(serving, io)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function learn(titles: Titles, path: string, { threads, seed }: GlobalOptions, io: CommandIo): Promise<number> {
  const { signal } = io
  const { model, seconds } = await withProgress(io, demoStages.slice(1), onProgress => {
    return fitTitles(titles, { ...(threads !== undefined && { threads }), signal, onProgress }, seed)
  })
  try {
    throwIfAborted(signal)
    await model.save(path)
    return seconds
  } finally {
    model.free()
  }
}

function welcome(titles: number, seconds: number, url: string): string {
  return `Learned ${formatCount(titles)} titles of Finnish libraries and their subjects in ${formatNumber(seconds)} s.

  ${url}

Open it in a browser, and try three things:
  1. Type a title, such as "Sailing ships and steamers". Subjects appear as you type;
     open one to see why it was suggested.
  2. Accept a subject, or add a better one. The model learns it at once.
  3. Look at the models: how good this one is for every subject, and a map of them.

Ctrl-C ends the demo. For your own data: vicinal train --help
`
}
