// How callers say which file to serve, and under which name.

import { basename, resolve } from 'node:path'
import { EngineError } from '@vicinal/core'
import type { NamedPath } from './open-served.ts'

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u

/** 'books=/data/books.collection', or a path whose last part gives the name. */
export function namedPath(given: string): NamedPath {
  const [, asked, path = given] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  const name = asked ?? basename(resolve(path)).replace(/(?<=.)\.[^.]+$/, '')
  if (nameForm.test(name)) return { name, path }
  throw new EngineError(
    'INVALID_OPTION',
    `"${name}" cannot be a name: use letters, digits, dots, dashes and underscores`,
    { hint: `Name it: "${possibleName(name)}=${path}"` },
  )
}

function possibleName(text: string): string {
  const name = text
    .normalize()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-._]+|-+$/g, '')
    .slice(0, 100)
  return name === '' ? 'name' : name
}
