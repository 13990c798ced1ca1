// What a shell needs to know to complete a command line: for each command, the words and flags that may follow.
// It is derived from the program itself, so that new commands and flags are completed automatically.

import type { Argument, Command, Option } from 'commander'

export interface Completion {
  /** The words that lead here, each after a space: '' for the program, ' inspect', ' memory insert'. */
  readonly route: string
  /** Commands, or the values of the first argument. Empty if files follow. */
  readonly words: readonly Suggestion[]
  readonly flags: readonly Flag[]
}

export interface Suggestion {
  readonly word: string
  readonly description: string
}

export interface Flag extends Suggestion {
  readonly takesValue: boolean
  /** The values it may take. Empty if it takes any value, such as a file. */
  readonly values: readonly string[]
}

/** The program first, then its commands, each followed by its own. */
export function completionTree(program: Command): Completion[] {
  return visit(program, '', [])
}

function visit(command: Command, route: string, inherited: readonly Flag[]): Completion[] {
  const help = command.createHelp()
  const own = help.visibleOptions(command).map(toFlag)
  const flags = [...own, ...inherited.filter(({ word }) => !own.some(flag => flag.word === word))]
  const commands = help.visibleCommands(command)
  const words = commands.length > 0 ? commands.map(toSuggestion) : firstChoices(command.registeredArguments)
  const passedOn = flags.filter(({ word }) => word !== '--version')
  const below = commands.flatMap(child => {
    // `help` takes the name of a command.
    if (child.name() === 'help') return [{ route: `${route} help`, words, flags: [] }]
    return visit(child, `${route} ${child.name()}`, passedOn)
  })
  return [{ route, words, flags }, ...below]
}

function toSuggestion(command: Command): Suggestion {
  return { word: command.name(), description: command.summary() || command.description() }
}

function toFlag({ long, short, description, required, optional, argChoices }: Option): Flag {
  return { word: long ?? short ?? '', description, takesValue: required || optional, values: argChoices ?? [] }
}

function firstChoices([first]: readonly Argument[]): Suggestion[] {
  return (first?.argChoices ?? []).map(word => ({ word, description: '' }))
}
