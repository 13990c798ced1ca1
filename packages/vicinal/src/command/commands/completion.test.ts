import { execFileSync } from 'node:child_process'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { bashCompletion, zshCompletion } from '../completion/bash-zsh.ts'
import { fishCompletion } from '../completion/fish.ts'
import { completionTree } from '../completion/tree.ts'
import { vicinal } from '../test-run.ts'

/** What a real bash offers after `script` was loaded and `words` were typed, the last of them still unfinished. */
function complete(script: string, ...words: string[]): string[] {
  const typed = words.map(word => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _${words[0]}; printf '%s\\n' "\${COMPREPLY[@]}"`
  const offered = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}`], { encoding: 'utf8' })
  return offered.split('\n').filter(word => word !== '')
}

/** A small program with nested commands, values to choose from and a quote in a description. */
function smallProgram(): Command {
  const program = new Command('tool').option('--json', "the machine's way")
  const memory = program.command('memory').description('remember')
  memory.command('insert <store>').description('add one').option('--key <text>', 'the key')
  program
    .command('paint')
    .description('paint it')
    .addOption(program.createOption('--color <name>', 'which').choices(['red', 'green']))
    .addArgument(program.createArgument('<what>').choices(['wall', 'window', 'door']))
  return program
}

describe('vicinal completion bash', () => {
  it('prints a script that bash accepts, and nothing else', async () => {
    const { code, stdout, stderr } = await vicinal(['completion', 'bash'])
    expect([code, stderr]).toEqual([0, ''])
    execFileSync('bash', ['-n', '-c', stdout], { stdio: 'pipe' })
  })

  it('completes commands, flags, and the values of flags', async () => {
    const { stdout: script } = await vicinal(['completion', 'bash'])
    expect(complete(script, 'vicinal', 'in')).toEqual(['index', 'inspect'])
    expect(complete(script, 'vicinal', '--json', 'con')).toEqual(['convert'])
    expect(complete(script, 'vicinal', 'convert', 'in.txt', '--fo')).toEqual(['--force', '--format'])
    expect(complete(script, 'vicinal', 'inspect', '--format', 'xm')).toEqual(['xmc'])
    expect(complete(script, 'vicinal', 'index', '--kind', 'ex')).toEqual(['exact'])
    expect(complete(script, 'vicinal', 'inspect', '--th')).toEqual(['--threads'])
    expect(complete(script, 'vicinal', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(complete(script, 'vicinal', 'help', 'ins')).toEqual(['inspect'])
  })

  it('leaves files to bash', async () => {
    const { stdout: script } = await vicinal(['completion', 'bash'])
    expect(complete(script, 'vicinal', 'inspect', '')).toEqual([])
    expect(complete(script, 'vicinal', 'inspect', '--vocabulary', '')).toEqual([])
    expect(script).toContain('complete -o default -F _vicinal vicinal\n')
  })

  it('follows commands below commands', () => {
    const script = bashCompletion('tool', completionTree(smallProgram()))
    expect(complete(script, 'tool', 'memory', '')).toEqual(['insert', 'help'])
    expect(complete(script, 'tool', 'memory', 'insert', '--')).toEqual(['--key', '--help', '--json'])
    expect(complete(script, 'tool', 'paint', 'w')).toEqual(['wall', 'window'])
  })
})

describe('the other shells', () => {
  it('zsh gets the same, with descriptions', () => {
    expect(zshCompletion('tool', completionTree(smallProgram()))).toMatchInlineSnapshot(`
      "#compdef tool
      # Completion of tool for zsh. Load it with: source <(tool completion zsh)
      _tool() {
        local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" route='' word
        local -a found
        for word in "\${(@)words[2,CURRENT-1]}"; do
          case "$route $word" in
            ' memory' | ' memory insert' | ' memory help' | ' paint' | ' help') route="$route $word" ;;
          esac
        done
        case "$route $previous" in
          ' memory insert --key') found=() ;;
          ' paint --color') found=('red' 'green') ;;
          *)
            case "$route:$current" in
              ':-'*) found=('--json:the machine'\\''s way' '--help:display help for command') ;;
              ' memory:-'*) found=('--help:display help for command' '--json:the machine'\\''s way') ;;
              ' memory insert:-'*) found=('--key:the key' '--help:display help for command' '--json:the machine'\\''s way') ;;
              ' memory help:-'*) found=() ;;
              ' paint:-'*) found=('--color:which' '--help:display help for command' '--json:the machine'\\''s way') ;;
              ' help:-'*) found=() ;;
              ':'*) found=('memory:remember' 'paint:paint it' 'help:display help for command') ;;
              ' memory:'*) found=('insert:add one' 'help:display help for command') ;;
              ' memory insert:'*) found=() ;;
              ' memory help:'*) found=('insert:add one' 'help:display help for command') ;;
              ' paint:'*) found=('wall' 'window' 'door') ;;
              ' help:'*) found=('memory:remember' 'paint:paint it' 'help:display help for command') ;;
            esac
            ;;
        esac
        if (( \${#found} )); then _describe tool found; else _files; fi
      }
      if [[ "\${funcstack[1]}" == _tool ]]; then _tool "$@"; else compdef _tool tool; fi
      "
    `)
  })

  it('fish gets the same, with descriptions', () => {
    expect(fishCompletion('tool', completionTree(smallProgram()))).toMatchInlineSnapshot(`
      "# Completion of tool for fish. Load it with: tool completion fish | source
      complete -c tool -n 'not __fish_seen_subcommand_from memory insert help paint help' -f -a 'memory' -d 'remember'
      complete -c tool -n 'not __fish_seen_subcommand_from memory insert help paint help' -f -a 'paint' -d 'paint it'
      complete -c tool -n 'not __fish_seen_subcommand_from memory insert help paint help' -f -a 'help' -d 'display help for command'
      complete -c tool -n 'not __fish_seen_subcommand_from memory insert help paint help' -l json -d 'the machine\\'s way'
      complete -c tool -n 'not __fish_seen_subcommand_from memory insert help paint help' -l help -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from memory; and not __fish_seen_subcommand_from insert help' -f -a 'insert' -d 'add one'
      complete -c tool -n '__fish_seen_subcommand_from memory; and not __fish_seen_subcommand_from insert help' -f -a 'help' -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from memory; and not __fish_seen_subcommand_from insert help' -l help -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from memory; and not __fish_seen_subcommand_from insert help' -l json -d 'the machine\\'s way'
      complete -c tool -n '__fish_seen_subcommand_from memory; and __fish_seen_subcommand_from insert' -l key -r -d 'the key'
      complete -c tool -n '__fish_seen_subcommand_from memory; and __fish_seen_subcommand_from insert' -l help -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from memory; and __fish_seen_subcommand_from insert' -l json -d 'the machine\\'s way'
      complete -c tool -n '__fish_seen_subcommand_from memory; and __fish_seen_subcommand_from help' -f -a 'insert' -d 'add one'
      complete -c tool -n '__fish_seen_subcommand_from memory; and __fish_seen_subcommand_from help' -f -a 'help' -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from paint' -f -a 'wall'
      complete -c tool -n '__fish_seen_subcommand_from paint' -f -a 'window'
      complete -c tool -n '__fish_seen_subcommand_from paint' -f -a 'door'
      complete -c tool -n '__fish_seen_subcommand_from paint' -l color -r -f -a 'red green' -d 'which'
      complete -c tool -n '__fish_seen_subcommand_from paint' -l help -d 'display help for command'
      complete -c tool -n '__fish_seen_subcommand_from paint' -l json -d 'the machine\\'s way'
      complete -c tool -n '__fish_seen_subcommand_from help' -f -a 'memory' -d 'remember'
      complete -c tool -n '__fish_seen_subcommand_from help' -f -a 'paint' -d 'paint it'
      complete -c tool -n '__fish_seen_subcommand_from help' -f -a 'help' -d 'display help for command'
      "
    `)
  })

  it('a shell we do not know is wrong usage', async () => {
    const { code, stderr } = await vicinal(['completion', 'tcsh'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^vicinal: .*'tcsh' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish\.\n/,
    )
  })
})
