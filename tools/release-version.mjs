// Gives the packages the version that the changesets ask for (npm run release:version): in their package.json, in the lock, and as a
// heading in CHANGELOG.md over what was unreleased.

import { execSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

/** The changelog with what was unreleased under `version`. */
export function releaseChangelog(text, version, date) {
  if (text.includes(`## ${version} `)) {
    throw new Error(`${version} is released already, and no changeset asks for more (npx changeset adds one)`)
  }
  const [head, unreleased, ...rest] = text.split(/^(?=## )/m)
  if (!unreleased?.startsWith('## Unreleased\n')) throw new Error('CHANGELOG.md does not begin with "## Unreleased"')
  const notes = unreleased.slice('## Unreleased\n'.length)
  if (notes.trim() === '') throw new Error('CHANGELOG.md has nothing under "## Unreleased": say what changed for users')
  return [head, '## Unreleased\n\n', `## ${version} (${date})\n`, notes, ...rest].join('')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = join(root, 'CHANGELOG.md')
  const changelog = readFileSync(file, 'utf8')
  execSync('npx changeset version', { cwd: root, stdio: 'inherit' })
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
  writeFileSync(file, releaseChangelog(changelog, version, new Date().toISOString().slice(0, 10)))
  execSync('npm install --package-lock-only --ignore-scripts', { cwd: root, stdio: 'inherit' })
  process.stdout.write(`${version}: look over the changes, commit them, then npm run release\n`)
}
