// `vicinal completion`: prints a script that completes the command in a shell.

import { Argument, type Command } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { bashCompletion, zshCompletion } from '../completion/bash-zsh.ts'
import { fishCompletion } from '../completion/fish.ts'
import { completionTree } from '../completion/tree.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

const examples = `
Examples:
  eval "$(vicinal completion bash)"                                     # in ~/.bashrc
  source <(vicinal completion zsh)                                      # in ~/.zshrc
  vicinal completion fish > ~/.config/fish/completions/vicinal.fish`

export function addCompletion(program: Command, io: CommandIo): void {
  program
    .command('completion')
    .description('Print a script that completes vicinal commands and flags in your shell.')
    .summary('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', examples)
    .action((shell: keyof typeof scripts) => {
      io.stdout.write(scripts[shell](program.name(), completionTree(program)))
    })
}
