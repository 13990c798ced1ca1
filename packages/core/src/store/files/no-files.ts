// Replaces atomic-file.ts, model-file.ts and open-file.ts in pages: the same functions, which say that there are no files. Bundlers use it
// because of the `browser` field of package.json, so that a page ships no code that it cannot run.

import { EngineError } from '../../errors.ts'

async function cannot(purpose: string): Promise<never> {
  throw new EngineError('UNSUPPORTED', `cannot ${purpose}: this was bundled for pages, which have none`, {
    hint: 'Use toBytes and fromBytes, or bundle for Node.',
  })
}

const read = () => cannot('read a file')
const write = () => cannot('write a file')

export {
  read as openFile,
  read as readHeader,
  read as readModel,
  read as readPlaced,
  read as withFile,
  write as saveContents,
  write as writeAtomically,
  write as writeModel,
}
