// The script that completes the command in fish: one `complete` line per command, flag or value.

import type { Completion, Flag } from './tree.ts'

export function fishCompletion(name: string, tree: readonly Completion[]): string {
  const lines = tree.flatMap(completion => {
    const start = `complete -c ${name} -n ${quote(condition(completion, tree))}`
    const words = completion.words.map(({ word, description }) => `${start} -f -a ${quote(word)}${about(description)}`)
    return [...words, ...completion.flags.map(flag => `${start} ${flagPart(flag)}`)]
  })
  return `# Completion of ${name} for fish. Load it with: ${name} completion fish | source\n${lines.join('\n')}\n`
}

/** True if all words of the route were typed, and none of a command below it. */
function condition({ route }: Completion, tree: readonly Completion[]): string {
  const typed = route.split(' ').slice(1)
  const below = tree.filter(other => other.route.startsWith(`${route} `)).map(other => other.route.split(' ').at(-1))
  const tests = typed.map(word => `__fish_seen_subcommand_from ${word}`)
  if (below.length > 0) tests.push(`not __fish_seen_subcommand_from ${below.join(' ')}`)
  return tests.join('; and ')
}

function flagPart({ word, description, takesValue, values }: Flag): string {
  const choices = values.length > 0 ? ` -f -a ${quote(values.join(' '))}` : ''
  return `-l ${word.replace(/^--/, '')}${takesValue ? ` -r${choices}` : ''}${about(description)}`
}

function about(description: string): string {
  return description ? ` -d ${quote(description)}` : ''
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
