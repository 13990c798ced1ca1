// A site without a server: the page, and models, indexes or collections that it loads in the visitor's browser. Written to a folder, which any
// static host can serve.

import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, sep } from 'node:path'
import { EngineError, indexKinds, inspectModel, type LongWork } from '@vicinal/core'
import { checkOptions, checkSignal, checkText, optionTable, throwIfAborted } from '@vicinal/core/internals'
import { folderFailure } from '../log/log-error.ts'
import { namedPath } from '../service/named-path.ts'
import type { NamedPath } from '../service/open-served.ts'
import { checkPath } from '../store/store-options.ts'
import type { SiteFile } from './site-file.ts'
import { pageOf } from './site-page.ts'
import { hashOf, measureSources, type SiteSource } from './site-quality.ts'

/** Options of `writeSite`. */
export interface SiteOptions {
  /** The folder of the built page: `pageFolder` of @vicinal/web. */
  readonly page: string
  /** Shown on the page. Default '0.0.0'. */
  readonly version?: string
  /** Files of labeled items that models are measured on, so that the page says how good they are: a path, or `model=path`. Default: none. */
  readonly tests?: readonly string[]
  /** Stops the work. Nothing was written then, unless it was already being written. */
  readonly signal?: LongWork['signal']
}

/** What `writeSite` returns. */
export interface WrittenSite {
  readonly files: readonly SiteFile[]
  /** Of everything that was written. */
  readonly bytes: number
}

/** Lists what we wrote, so that the next time we replace that and nothing else. */
const manifest = 'vicinal-site.json'

/**
 * Writes a site to the folder `out`, from files that `save` wrote: each is shown under its name without the extension, or as `name=path` says. A site
 * that we wrote before is replaced, except for files that are not ours. Any other folder that is not empty is refused.
 */
export async function writeSite(out: string, paths: readonly string[], options: SiteOptions): Promise<WrittenSite> {
  checkArguments(out, paths, options)
  const before = await ownFiles(out)
  const found = await Promise.all(paths.map(namedPath).map(describeSource))
  refuseTwice(found.map(({ file }) => file))
  const sources = await measureSources(found, options)
  throwIfAborted(options.signal)
  const files = sources.map(({ file }) => file)
  const page = await pageOf(options.page, { version: options.version ?? '0.0.0', files })
  const measured = sources.flatMap(({ file, quality }) =>
    file.quality && quality ? [[file.quality, quality] as const] : [],
  )
  try {
    await replace(out, before, sources, new Map([...measured, ...page]))
  } catch (error) {
    throw folderFailure(out, error)
  }
  const pageBytes = [...page.values(), ...measured.map(([, quality]) => quality)].reduce(
    (sum, one) => sum + one.length,
    0,
  )
  return { files, bytes: pageBytes + files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function replace(
  out: string,
  before: readonly string[],
  sources: readonly SiteSource[],
  contents: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const written = [...sources.map(({ file }) => file.url), ...contents.keys()]
  await mkdir(out, { recursive: true })
  await writeManifest(out, [...new Set([...before, ...written])]) // first: what is interrupted stays ours
  // What the page needs comes before the page: nobody sees a page without its files.
  for (const { file, path } of sources) await copyFile(path, await placeFor(out, file.url))
  for (const [name, content] of contents) await writeFile(await placeFor(out, name), content)
  await writeManifest(out, written)
  for (const name of before) if (!written.includes(name)) await rm(join(out, name), { force: true })
}

const siteOptions = optionTable<SiteOptions>({
  ...{ page: checkPath, version: checkText, signal: checkSignal },
  tests: (name, value) => checkPaths(name, value),
})

function checkArguments(out: string, paths: readonly string[], options: SiteOptions): void {
  checkPath('out', out)
  checkOptions(options, siteOptions)
  checkPath('page', options.page)
  if (!Array.isArray(paths) || paths.length === 0) {
    throw new EngineError('INVALID_OPTION', 'you gave no files to show')
  }
  checkPaths('paths', paths)
}

function checkPaths(name: string, paths: unknown): void {
  if (!Array.isArray(paths)) throw new EngineError('INVALID_OPTION', `${name} is not a list of paths`)
  for (const [i, path] of Array.from(paths).entries()) checkPath(`${name}[${i}]`, path)
}

async function describeSource({ name, path }: NamedPath): Promise<SiteSource> {
  const facts = await stat(path).catch(cause => {
    throw new EngineError('FILE_NOT_FOUND', 'there is no such file', { where: { file: path }, cause })
  })
  if (facts.isDirectory()) {
    throw new EngineError('UNSUPPORTED', 'is a folder: a site can show files that save() wrote, but no stores', {
      ...{ where: { file: path }, hint: 'Serve stores with `vicinal serve`.' },
    })
  }
  const { method, bytes } = await inspectModel(path)
  const kind = kindOf(method, path)
  // A new name for new contents: browsers and hosts may keep files for as long as they like.
  const url = `files/${name}-${hashOf(await readFile(path))}${extname(path)}`
  return { path, file: { kind, name, url, bytes, modifiedAt: Math.round(facts.mtimeMs) } }
}

function kindOf(method: string, path: string): SiteFile['kind'] {
  if (method === 'collection') return 'collection'
  if (method === 'memory') {
    throw new EngineError('UNSUPPORTED', 'holds a memory, which a site without a server cannot show', {
      ...{ where: { file: path }, hint: 'Serve it with `vicinal serve`.' },
    })
  }
  return indexKinds().includes(method) ? 'index' : 'model'
}

function refuseTwice(files: readonly SiteFile[]): void {
  for (const [i, { kind, name }] of files.entries()) {
    if (!files.slice(0, i).some(other => other.kind === kind && other.name === name)) continue
    throw new EngineError('INVALID_OPTION', `two files would be shown as "${name}"`, { hint: 'Name one: other=path.' })
  }
}

/** The files that we wrote to the folder before. Refuses a folder with anything in it that we did not write. */
async function ownFiles(out: string): Promise<string[]> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new EngineError('FILE_ACCESS', 'is not a folder that can be read', { where: { file: out }, cause: error })
  })
  if (entries.length === 0) return []
  try {
    const { vicinal, files } = JSON.parse(await readFile(join(out, manifest), 'utf8'))
    if (vicinal === 'site' && Array.isArray(files)) return files.filter(isInside)
  } catch {
    // No manifest, or not ours.
  }
  throw new EngineError('FILE_EXISTS', 'the folder is not empty, and was not written by `vicinal site`', {
    ...{ where: { file: out }, hint: 'Choose another folder, or empty this one.' },
  })
}

/** A manifest that somebody edited must not make us remove other files. */
function isInside(name: unknown): name is string {
  return typeof name === 'string' && !name.split(/[/\\]/).includes('..') && !/^([/\\]|[a-z]:)/i.test(name)
}

function writeManifest(out: string, files: readonly string[]): Promise<void> {
  return writeFile(join(out, manifest), `${JSON.stringify({ vicinal: 'site', files }, null, 2)}\n`)
}

async function placeFor(out: string, name: string): Promise<string> {
  const path = join(out, name.split('/').join(sep))
  await mkdir(dirname(path), { recursive: true })
  return path
}
