// `vicinal explain`: why a model gives a text its labels.

import { type Classifier, loadClassifier } from '@vicinal/core'
import type { Command } from 'commander'
import { type CommandIo, printJson } from './command-io.ts'
import { formatExplanation } from './explanation-report.ts'
import type { GlobalOptions } from './program.ts'
import { collect } from './read-options.ts'
import { wholeNumber } from './whole-number.ts'
import { withModel } from './with-model.ts'

interface Flags extends GlobalOptions {
  readonly text: string
  readonly label?: readonly string[]
  readonly top: number
}

const examples = `
Examples:
  vicinal explain books.model --text "A history of the Baltic Sea"
  vicinal explain books.model --text "A history of the Baltic Sea" --label shipping
  vicinal explain books.model --text "A history of the Baltic Sea" --top 1 --json`

export function addExplain(program: Command, io: CommandIo): void {
  program
    .command('explain')
    .description('Show why a model gives a text its labels: the neighbors and the words that speak for each.')
    .summary('show why a text gets its labels')
    .helpGroup('Label:')
    .argument('<model>', 'model file that train has written on texts')
    .requiredOption('--text <text>', 'the text to label')
    .option('--label <name>', 'explain this label; repeatable (default: the best ones)', collect)
    .option('--top <n>', 'how many labels to explain, where none is named', wholeNumber(1, 1000), 3)
    .addHelpText('after', examples)
    .action((model: string, _flags: unknown, self: Command) => {
      return withModel(loadClassifier(model), loaded => explain(loaded, self.optsWithGlobals<Flags>(), io))
    })
}

function explain(model: Classifier, { text, label, top, json }: Flags, io: CommandIo): void {
  const labels = label ?? model.predict(text, { top }).map(suggestion => suggestion.label)
  const explanations = labels.map(name => model.explain(text, name))
  if (json) printJson(io, { text, labels: explanations })
  else io.stdout.write(explanations.map(explanation => formatExplanation(explanation)).join('\n'))
}
