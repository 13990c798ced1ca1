// The exported classes and all option names of the public API, from the sources' types: what docs/glossary.md has to explain.
// @vicinal/core/internals is not public.

import { join } from 'node:path'
import ts from 'typescript'

const packages = join(import.meta.dirname, '..', 'packages')
// All public entries of core and server are exported here too.
const entry = join(packages, 'vicinal', 'src', 'index.ts')

/** Types whose properties are options, by their exported name. MethodOptions is a list of methods. */
const holdsOptions = /((?<!^Method)(?<=\w)Options|\wPlace)$|^(Effort|CollectionQuery)$/

export function publicNames() {
  const program = ts.createProgram([entry], {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts'], types: [] },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    customConditions: ['@vicinal/source'],
  })
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
  const [classes, options] = [new Set(), new Map()]
  for (const { name, symbol } of exported.map(one => ({ name: one.name, symbol: original(checker, one) }))) {
    if (symbol.flags & ts.SymbolFlags.Class) classes.add(name)
    for (const type of optionTypes(checker, name, symbol)) {
      for (const option of ownProperties(checker, type)) options.set(option, options.get(option) ?? name)
    }
  }
  return { classes: [...classes].sort(), options: new Map([...options].sort()) }
}

const original = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

/** The type itself, if its name says that it holds options, and those of all parameters called `options`. */
function optionTypes(checker, name, symbol) {
  const isType = symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)
  const own = isType && holdsOptions.test(name) ? [checker.getDeclaredTypeOfSymbol(symbol)] : []
  return [...own, ...callables(checker, symbol).flatMap(type => parametersCalledOptions(checker, type))]
}

/** The types of a function, or of a class with its public methods. */
function callables(checker, symbol) {
  if (symbol.flags & ts.SymbolFlags.Function) return [checker.getTypeOfSymbol(symbol)]
  if (!(symbol.flags & ts.SymbolFlags.Class)) return []
  const type = checker.getTypeOfSymbol(symbol)
  const members = [type, checker.getDeclaredTypeOfSymbol(symbol)].flatMap(one => checker.getPropertiesOfType(one))
  // Private names are called __#1@#name.
  return [type, ...members.filter(({ name }) => !name.startsWith('__')).map(one => checker.getTypeOfSymbol(one))]
}

function parametersCalledOptions(checker, type) {
  const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()]
  const parameters = signatures.flatMap(signature => signature.getParameters())
  return parameters.filter(({ name }) => name === 'options').map(one => checker.getTypeOfSymbol(one))
}

/** Properties that our sources declare: not those of strings and numbers. */
function ownProperties(checker, type) {
  const isOurs = ({ valueDeclaration }) => valueDeclaration?.getSourceFile().fileName.startsWith(packages)
  return checker
    .getPropertiesOfType(checker.getNonNullableType(type))
    .filter(isOurs)
    .map(({ name }) => name)
}
