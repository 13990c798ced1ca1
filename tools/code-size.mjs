// Sizes of the code in packages/*/src, without tests: median lines per file and per function, and files per folder.
// `node tools/code-size.mjs` prints them; test/code-size.test.ts holds the ceilings.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

const root = join(import.meta.dirname, '..')
const isCode = path => /\.(ts|mjs)$/.test(path) && !/\.(test|cases)\.ts$|[\\/](generated|node_modules)[\\/]/.test(path)

/** The source files of all packages. */
export function sourceFiles() {
  const packages = readdirSync(join(root, 'packages')).map(name => join(root, 'packages', name, 'src'))
  return packages.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath ?? entry.path, entry.name))
      .filter(isCode),
  )
}

export function codeSize(files = sourceFiles()) {
  const texts = files.map(file => readFileSync(file, 'utf8'))
  const functions = texts.flatMap((text, i) => functionLines(files[i], text))
  const folders = groupBy(files, dirname)
  const counts = [...folders].map(([folder, inside]) => ({ folder: relative(root, folder), files: inside.length }))
  return {
    files: files.length,
    medianFileLines: median(texts.map(lineCount)),
    functions: functions.length,
    medianFunctionLines: median(functions),
    fullestFolder: counts.reduce((most, one) => (one.files > most.files ? one : most)),
  }
}

/** Lines of every function with a body of statements. One-line arrow functions are expressions, and would hide long functions. */
export function functionLines(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = []
  const visit = node => {
    if (ts.isFunctionLike(node) && node.body && ts.isBlock(node.body)) lines.push(lineCount(node.getText(source)))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}

const lineCount = text => text.trimEnd().split('\n').length

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(codeSize(), null, 2))
