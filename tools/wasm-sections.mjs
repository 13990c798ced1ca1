// Looks into a compiled module for the build: where it says that its memory is shared, and whether it keeps anything in that memory.

const sectionNames = { import: 2, memory: 5, global: 6, start: 8, data: 11 }
const headerBytes = 8

/** Unsigned LEB128 at `at`: the number, and where it ends. */
export function numberAt(wasm, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = wasm[at++]
    value |= (byte & 127) << shift
    if (byte < 128) return { value, end: at }
  }
}

/** Where each section's contents begin, by its number. */
function sectionStarts(wasm) {
  const starts = new Map()
  for (let at = headerBytes; at < wasm.length; ) {
    const { value: size, end } = numberAt(wasm, at + 1)
    starts.set(wasm[at], end)
    at = end + size
  }
  return starts
}

/** Offset of the byte that says whether the imported memory is shared: the loader flips it if memory cannot be shared. */
export function sharedFlagOffset(wasm) {
  let at = sectionStarts(wasm).get(sectionNames.import)
  const next = () => {
    const { value, end } = numberAt(wasm, at)
    at = end
    return value
  }
  if (next() !== 1) throw new Error('the module must import its memory and nothing else')
  for (const _ of ['module', 'name']) {
    const length = next()
    at += length
  }
  if (wasm[at] !== 2 || wasm[at + 1] !== 3) throw new Error('the import is no shared memory')
  return at + 1
}

/**
 * All modules work over one memory, which is the arena's from its first bytes on: none may have constants or globals of its own in
 * it, or they would overwrite each other's.
 */
export function checkStateless(name, wasm) {
  const starts = sectionStarts(wasm)
  for (const section of ['memory', 'global', 'start', 'data']) {
    if (starts.has(sectionNames[section])) {
      throw new Error(`the module ${name} has a section ${section}: kernels keep no state and no tables in memory`)
    }
  }
}
