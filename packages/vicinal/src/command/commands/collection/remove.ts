// `vicinal remove`: removes documents from a collection.

import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { findDocument, withCollection } from '../../files/collection-file.ts'
import type { GlobalOptions } from '../../program.ts'
import { formatCountOf } from '../../terminal/quantity.ts'

const examples = `
Nothing is removed if one of the ids is unknown.

Examples:
  vicinal remove notes.collection n1 n7`

export function addRemove(program: Command, io: CommandIo): void {
  program
    .command('remove')
    .description('Remove documents from a collection.')
    .summary('remove documents from a collection')
    .helpGroup('Search:')
    .argument('<collection>', 'collection file written by index')
    .argument('<ids...>', 'ids of the documents')
    .addHelpText('after', examples)
    .action((path: string, words: string[], _flags: unknown, self: Command) => {
      return withCollection(path, io, async collection => {
        const ids = new Set(words.map(word => findDocument(collection, word)))
        for (const id of ids) collection.remove(id)
        await collection.save(path, { overwrite: true, signal: io.signal })
        const documents = collection.count()
        if (self.optsWithGlobals<GlobalOptions>().json) return printJson(io, { removed: ids.size, documents })
        io.stderr.write(`removed ${formatCountOf(ids.size, 'document')}; the collection has ${documents}\n`)
      })
    })
}
