// Long work on this thread, item by item: see long-work.ts.

export { eachInTurns as inTurns } from '../long-work.ts'
