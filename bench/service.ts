// The service under load and under kills, as people run it: node tools/run.mjs bench/service.ts load|kills [--kills 200] [--folder <kept between runs>]
//   load   2,000 requests for labels over 50 connections, forty rounds; what /health takes meanwhile, and how much memory the process has
//   kills  SIGKILL under writes, again and again; every acknowledged correction and memory must be there after the restart. With a folder,
//          a run that was stopped goes on where it was
// The command is used as built: npm run build.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureKills } from './service/kills.ts'
import { measureLoad } from './service/load.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kills: { type: 'string', default: '200' }, folder: { type: 'string' } },
})
const wanted = positionals.length > 0 ? positionals : ['load', 'kills']
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'vicinal-service-')))
await mkdir(folder, { recursive: true })
try {
  if (wanted.includes('load')) await measureLoad(folder)
  if (wanted.includes('kills')) await measureKills(folder, Number(values.kills))
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
}
