import { expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { releaseChangelog } from '../tools/release-version.mjs'

const text = '# Changelog\n\n## Unreleased\n\n- It flies.\n\n## 0.1.0 (2026-01-01)\n\n- It walks.\n'

it('a release puts what was unreleased under its version', () => {
  expect(releaseChangelog(text, '0.2.0', '2026-02-03')).toBe(
    text.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 (2026-02-03)\n'),
  )
})

it('a release without notes, or of a version that is out, is refused', () => {
  expect(() => releaseChangelog(text.replace('- It flies.\n', ''), '0.2.0', '2026-02-03')).toThrow('nothing under')
  expect(() => releaseChangelog(text, '0.1.0', '2026-02-03')).toThrow('0.1.0 is released already')
})
