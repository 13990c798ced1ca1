// The process in which a library reads a file. Libraries expect good files: on damaged ones they may never end, reject
// promises that nobody awaits, or fill the memory until V8 ends the process. Here that ends this process only.
// Plain JavaScript, as Node runs it beside the sources too. Answers calls of ../library-process.ts, one after another.

import { exit } from 'node:process'

/** The functions of each library. */
const libraries = {
  parquet: () => import('./parquet.mjs'),
  hdf5: () => import('./hdf5.mjs'),
}

/** @type {Promise<unknown>} */
let last = Promise.resolve()

process.on('message', message => {
  last = last.then(() => answer(/** @type {Call} */ (message)))
})
process.on('disconnect', () => exit())
// Ctrl-C is for the process that started this one: it decides.
process.on('SIGINT', () => {})

/** @typedef {{ id: number, library: keyof typeof libraries, method: string, args: unknown }} Call */

/** @param {Call} call */
async function answer({ id, library, method, args }) {
  try {
    /** @type {Record<string, (args: never) => unknown>} */
    const methods = { ...(await libraries[library]()) }
    process.send?.({ id, result: await methods[method]?.(/** @type {never} */ (args)) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.send?.({ id, error: message, missing: missingPackage(error) })
  }
}

/**
 * The package that could not be loaded because it is not installed.
 * @param {unknown} error
 */
function missingPackage(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return undefined
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1]
}
