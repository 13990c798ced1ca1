// Replaces atomic-file.ts and open-file.ts in pages: the same functions, which say that there are no files. Bundlers use it because of the
// `browser` field of package.json, so that a page ships no code that it cannot run.

import { requireNodeModule } from '../platform.ts'

export async function writeAtomically(): Promise<void> {
  requireNodeModule('node:fs/promises', 'write a file')
}

export function checkWriteOptions(): void {
  requireNodeModule('node:fs/promises', 'write a file')
}

export async function withFile(): Promise<void> {
  requireNodeModule('node:fs/promises', 'read a file')
}
