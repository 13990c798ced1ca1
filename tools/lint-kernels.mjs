// Lints the kernels. AssemblyScript decorates functions, which is no TypeScript: Biome gets copies in which `@inline` is a comment, and rules
// that mean something else there are off. They are not formatted: Biome would put every cast into one more pair of parentheses.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const assembly = join(root, 'packages/core/assembly')
const { linter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))

const offHere = {
  // Equal and identical are the same in AssemblyScript; a number that differs from itself is NaN.
  suspicious: {
    ...linter.rules.suspicious,
    ...{ noDoubleEquals: 'off', noSelfCompare: 'off', noTsIgnore: 'off' },
    // It has no global names to shadow.
    noShadowRestrictedNames: 'off',
  },
  // Its compiler knows no types that are only types.
  style: { ...linter.rules.style, useImportType: 'off', useExponentiationOperator: 'off' },
}
const config = { linter: { rules: { ...linter.rules, ...offHere } } }

const files = readdirSync(assembly, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
const folder = mkdtempSync(join(tmpdir(), 'kernels-'))
try {
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(config))
  for (const file of files) {
    const text = readFileSync(join(assembly, file), 'utf8')
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text.replace(/^@inline$/gm, '//@inline'))
  }
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--error-on-warnings', '.']
  process.exitCode = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
