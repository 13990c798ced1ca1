// The native peers, which have an installation of their own (npm install in bench/peers), so that the project compiles nothing.

import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'peers')
const require = createRequire(join(folder, 'package.json'))

/** A peer's module; its types are the caller's word, since it may not be installed. */
export function loadPeer<Module>(name: string): Module {
  return require(name) as Module
}

/** A peer's version; undefined if it is not installed, or was not compiled. */
export function peerVersion(name: string): string | undefined {
  try {
    require(name)
    return require(join(folder, 'node_modules', name, 'package.json')).version
  } catch {
    return undefined
  }
}
