// The glossary explains every name of the public API: every exported class, and every option of every call.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { publicNames } from '../tools/public-names.mjs'

const glossary = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
const { classes, options }: { classes: string[]; options: Map<string, string> } = publicNames()

/** The words of the first column: `name` for names of the API, **word** for ideas. */
const wordsOf = (pattern: RegExp) =>
  [...glossary.matchAll(/^\| ([^|]+) \| (?!-)/gm)].flatMap(([, words = '']) =>
    [...words.matchAll(pattern)].map(match => match[1] as string),
  )
const names = wordsOf(/`([^`]+)`/g)

describe('the glossary', () => {
  it('explains every exported class', () => {
    expect(classes).toContain('ForestIndex')
    expect(classes.filter(name => !names.includes(name))).toEqual([])
  })

  it('explains every option of the public API', () => {
    expect(options.get('targetRecall')).toBeDefined()
    expect(options.size).toBeGreaterThan(100)
    const missing = [...options].filter(([option]) => !names.includes(option))
    expect(missing.map(([option, where]) => `${option}, of ${where}`)).toEqual([])
  })

  it('explains no class or option that is gone, and none twice', () => {
    const known = [...classes, ...options.keys()]
    expect(names.filter(name => !known.includes(name))).toEqual([])
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([])
  })

  it('explains every idea in one place', () => {
    const ideas = wordsOf(/\*\*([^*]+\*\*(?: \([^)]*\))?)/g)
    expect(ideas.length).toBeGreaterThan(50)
    expect(ideas.filter((idea, i) => ideas.indexOf(idea) < i)).toEqual([])
  })
})
