// `vicinal explain`: why a model gives a text or a vector its labels.

import { type Classifier, EngineError, type Item, loadClassifier } from '@vicinal/core'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { withModel } from '../files/with-model.ts'
import { collect } from '../flags/read-options.ts'
import { addVocabularyFlags, nameLabels, type VocabularyFlags } from '../flags/vocabulary-flags.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { formatExplanation } from '../reports/explanation.ts'
import { shorten } from '../terminal/table.ts'

interface Flags extends GlobalOptions, VocabularyFlags {
  readonly text?: string
  readonly vector?: string
  readonly label?: readonly string[]
  readonly top: number
}

const examples = `
Examples:
  vicinal explain books.model --text "A history of the Baltic Sea"
  vicinal explain books.model --text "A history of the Baltic Sea" --label shipping
  vicinal explain titles.model --text "A history of the Baltic Sea" --language fi
  vicinal explain books.model --text "A history of the Baltic Sea" --top 1 --json
  vicinal explain songs.model --vector "[0.034, -0.41, 71.4]"`

export function addExplain(program: Command, io: CommandIo): void {
  const command = program
    .command('explain')
    .description('Show why a model gives a text or a vector its labels: the neighbors and words that support each one.')
    .summary('show why an item gets its labels')
    .helpGroup('Label:')
    .argument('<model>', 'model file written by train')
    .option('--text <text>', 'the text to label, if the model was trained on texts')
    .option('--vector <json>', 'the vector to label, as a JSON array')
    .option('--label <name>', 'explain this label, by id or name; repeatable (default: the best ones)', collect)
    .option('--top <n>', 'how many labels to explain, if you name none', wholeNumber(1, 1000), 3)
    .action((model: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      const item = givenItem(flags)
      return withModel(loadClassifier(model), async loaded => {
        await nameLabels(loaded, flags, io)
        explain(loaded, item, flags, io)
      })
    })
  addVocabularyFlags(command).addHelpText('after', examples)
}

type Explained = { readonly text: string; readonly vector?: never } | { readonly vector: Item; readonly text?: never }

/** Checked before the model is loaded, so that mistakes are reported at once. */
function givenItem({ text, vector }: Flags): Explained {
  if (text !== undefined && vector === undefined) return { text }
  if (vector !== undefined && text === undefined) return { vector: parseVector(vector) }
  const given = text === undefined ? 'neither --text nor --vector is given' : '--text and --vector are both given'
  throw new EngineError('INVALID_OPTION', `${given}, expected one of them`, {
    hint: 'Give --text "…" to a model of texts, --vector "[…]" to a model of vectors.',
  })
}

function parseVector(json: string): number[] {
  const vector = parsed(json)
  if (Array.isArray(vector) && vector.every(value => typeof value === 'number')) return vector
  throw new EngineError('INVALID_OPTION', `--vector is '${shorten(json, 60)}', expected a JSON array of numbers`, {
    hint: 'Write it in quotes: --vector "[0.5, -1, 2]".',
  })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function explain(model: Classifier, item: Explained, { label, top, json }: Flags, io: CommandIo): void {
  const asked = item.text ?? item.vector
  const labels = label ?? model.predict(asked, { top }).map(suggestion => suggestion.label)
  const explanations = labels.map(name => model.explain(asked, name))
  if (json) printJson(io, { ...item, labels: explanations })
  else io.stdout.write(explanations.map(explanation => formatExplanation(explanation)).join('\n'))
}
