// docs/reference.md: every exported name with its doc line and signature, from the declarations that the build makes.
// `npm run docs:reference` writes it; a slow test checks that it is current.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

const root = join(import.meta.dirname, '..')

/** Each entry, and those whose names it passes on. */
const entries = [
  { name: '@vicinal/core', file: 'packages/core/dist/index.d.mts' },
  { name: '@vicinal/core/collection', file: 'packages/core/dist/collection.d.mts' },
  { name: '@vicinal/core/data', file: 'packages/core/dist/data.d.mts' },
  { name: '@vicinal/core/inspect', file: 'packages/core/dist/inspect.d.mts' },
  { name: '@vicinal/core/margin', file: 'packages/core/dist/margin.d.mts' },
  { name: '@vicinal/core/memory', file: 'packages/core/dist/memory.d.mts' },
  { name: '@vicinal/server', file: 'packages/server/dist/index.d.mts' },
  { name: 'vicinal', file: 'packages/vicinal/dist/index.d.mts' },
]

const intro = `# Reference

Every exported name. \`npm run docs:reference\` makes this page from the doc comments; \`npm run docs:api\` makes pages with every option, in
docs/api. \`vicinal\` exports all of \`@vicinal/core\`, its entries and \`@vicinal/server\`. \`@vicinal/core/internals\` has what our own packages use of
the engine. It may change in any release, so it is not listed here.
`

const groups = [
  ['Classes', symbol => symbol.flags & ts.SymbolFlags.Class],
  ['Functions', symbol => symbol.flags & ts.SymbolFlags.Function],
  ['Constants', symbol => symbol.flags & ts.SymbolFlags.Variable],
  ['Types', symbol => symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)],
]

const format = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

export function makeReference() {
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: [],
  }
  const program = ts.createProgram(
    entries.map(({ file }) => join(root, file)),
    { ...options, strict: true, noEmit: true },
  )
  const checker = program.getTypeChecker()
  const seen = new Set()
  const parts = entries.map(({ name, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file)))
    const symbols = checker.getExportsOfModule(module).map(symbol => original(checker, symbol))
    const own = symbols.filter(({ symbol }) => !seen.has(symbol))
    for (const { symbol } of own) seen.add(symbol)
    return `## ${name}\n\n${groups.map(group => list(checker, own, group)).join('')}`
  })
  return `${[intro, ...parts].join('\n').trimEnd()}\n`
}

/** The symbol itself, with the name under which it is exported. */
function original(checker, symbol) {
  const isAlias = symbol.flags & ts.SymbolFlags.Alias
  return { name: symbol.name, symbol: isAlias ? checker.getAliasedSymbol(symbol) : symbol }
}

function list(checker, symbols, [title, belongs]) {
  // A name is in the first group it belongs to: a class is also a type.
  const isOwn = ({ symbol }) => groups.find(([, test]) => test(symbol))?.[1] === belongs
  const own = symbols.filter(isOwn).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (own.length === 0) return ''
  return `### ${title}\n\n${own.map(one => line(checker, one)).join('')}\n`
}

function line(checker, { name, symbol }) {
  const head = `- **\`${name}${signature(checker, symbol)}\`** ${docLine(checker, symbol)}`.trimEnd()
  const members = symbol.flags & ts.SymbolFlags.Class ? classMembers(checker, symbol) : []
  return [head, ...members, ''].join('\n')
}

/** The methods of a class, those that it inherits included, and what it makes objects with. */
function classMembers(checker, symbol) {
  const statics = checker
    .getPropertiesOfType(checker.getTypeOfSymbol(symbol))
    .filter(({ name }) => name !== 'prototype')
  const methods = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
  const shown = (member, prefix) =>
    `  - \`${prefix}${member.name}${signature(checker, member)}\` ${docLine(checker, member)}`.trimEnd()
  const isShown = member => !member.name.startsWith('__') && isPublic(member)
  return [
    ...statics.filter(isShown).map(member => shown(member, `${symbol.name}.`)),
    ...methods.filter(isShown).map(member => shown(member, '.')),
  ]
}

function isPublic(member) {
  const declaration = member.valueDeclaration
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  if (!declaration || ts.getCombinedModifierFlags(declaration) & hidden) return false
  return !(declaration.name && ts.isPrivateIdentifier(declaration.name))
}

/** Parameters and result of a function or method; the type of anything else that has a value, if it is short. */
function signature(checker, symbol) {
  if (!(symbol.flags & ts.SymbolFlags.Value) || symbol.flags & ts.SymbolFlags.Class) return ''
  const type = checker.getTypeOfSymbol(symbol)
  const [call] = type.getCallSignatures()
  if (call) return oneLine(checker.signatureToString(call, undefined, format))
  const text = oneLine(checker.typeToString(type, undefined, format))
  return text.length > 60 ? '' : `: ${text}`
}

const oneLine = text => text.replace(/\s+/g, ' ')

/** The first sentence of the doc comment. */
function docLine(checker, symbol) {
  const text = oneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(root, 'docs', 'reference.md'), makeReference())
}
