// A site without a server: the page, and models, indexes or collections that it loads in the visitor's browser. Written to a folder, which any
// static host can serve.

import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, sep } from 'node:path'
import { EngineError, indexKinds, inspectModel } from '@vicinal/core'
import { checkOptions, optionTable } from '@vicinal/core/internals'
import { namedPath } from '../service/named-path.ts'
import type { NamedPath } from '../service/open-served.ts'
import { checkPath } from '../store/store-options.ts'
import { pageOf } from './site-page.ts'

/** Options of `writeSite`. */
export interface SiteOptions {
  /** The folder of the built page: `pageFolder` of @vicinal/web. */
  readonly page: string
  /** Shown on the page. Default '0.0.0'. */
  readonly version?: string
}

/** A file that the page of a site loads. */
export interface SiteFile {
  readonly kind: 'model' | 'index' | 'collection'
  readonly name: string
  /** Relative to the page. */
  readonly url: string
  readonly bytes: number
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
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
  const sources = await Promise.all(paths.map(namedPath).map(describeSource))
  refuseTwice(sources.map(({ file }) => file))
  const page = await pageOf(options.page, {
    version: options.version ?? '0.0.0',
    files: sources.map(({ file }) => file),
  })
  const written = [...sources.map(({ file }) => file.url), ...page.keys()]
  await mkdir(out, { recursive: true })
  await writeManifest(out, [...new Set([...before, ...written])]) // first: what is interrupted stays ours
  // What the page needs comes before the page: nobody sees a page without its files.
  for (const { file, path } of sources) await copyFile(path, await placeFor(out, file.url))
  for (const [name, contents] of page) await writeFile(await placeFor(out, name), contents)
  await writeManifest(out, written)
  for (const name of before) if (!written.includes(name)) await rm(join(out, name), { force: true })
  const pageBytes = [...page.values()].reduce((sum, { length }) => sum + length, 0)
  return {
    files: sources.map(({ file }) => file),
    bytes: pageBytes + sources.reduce((sum, { file }) => sum + file.bytes, 0),
  }
}

const siteOptions = optionTable<SiteOptions>({ page: checkPath, version: checkPath })

function checkArguments(out: string, paths: readonly string[], options: SiteOptions): void {
  checkPath('out', out)
  checkOptions(options, siteOptions)
  checkPath('page', options.page)
  if (!Array.isArray(paths) || paths.length === 0) {
    throw new EngineError('INVALID_OPTION', 'you gave no list of files to show')
  }
  for (const [i, path] of Array.from(paths).entries()) checkPath(`paths[${i}]`, path)
}

async function describeSource({ name, path }: NamedPath): Promise<{ file: SiteFile; path: string }> {
  const facts = await stat(path).catch(cause => {
    throw new EngineError('FILE_NOT_FOUND', 'there is no such file', { where: { file: path }, cause })
  })
  if (facts.isDirectory()) {
    throw new EngineError('UNSUPPORTED', 'is a folder: a site shows files that save() wrote, and no stores', {
      ...{ where: { file: path }, hint: 'Serve stores with `vicinal serve`.' },
    })
  }
  const { method, bytes } = await inspectModel(path)
  const kind = kindOf(method, path)
  // A new name for new contents: browsers and hosts may keep files for as long as they like.
  const hash = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 10)
  const url = `files/${name}-${hash}${extname(path)}`
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
