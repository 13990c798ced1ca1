// The command's frame: the list of commands, the flags that all of them take, and the main help page.
// A new command is a new file and one line in `commands`.

import { type Argument, Command, type OutputConfiguration } from 'commander'
import type { CommandIo } from './command-io.ts'
import { addAdd } from './commands/collection/index-documents.ts'
import { addRemove } from './commands/collection/remove.ts'
import { addCompletion } from './commands/completion.ts'
import { addConvert } from './commands/convert.ts'
import { addCurve } from './commands/curve.ts'
import { addDemo } from './commands/demo.ts'
import { addEvaluate } from './commands/evaluate.ts'
import { addExplain } from './commands/explain.ts'
import { addIndex } from './commands/index-vectors.ts'
import { addInspect } from './commands/inspect.ts'
import { addMcp } from './commands/mcp.ts'
import { addMemory } from './commands/memory/memory.ts'
import { addPredict } from './commands/predict.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addSite } from './commands/site.ts'
import { addTrain } from './commands/train.ts'
import { addTune } from './commands/tune.ts'
import { wholeNumber } from './flags/whole-number.ts'
import { version } from './version.ts'

/** Adds one command to the program, with its flags, its help and its action. */
export type AddCommand = (program: Command, io: CommandIo) => void

/** In the order of the help page. */
const commands: readonly AddCommand[] = [
  ...[addTrain, addPredict, addEvaluate, addTune, addExplain],
  ...[addIndex, addSearch, addAdd, addRemove, addCurve],
  addMemory,
  ...[addInspect, addConvert],
  ...[addServe, addSite, addMcp, addDemo, addCompletion],
]

/** The flags that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  /** Default: as many as the machine has cores. */
  readonly threads?: number
  /** Default 1. */
  readonly seed?: number
}

const closing = `
Results go to stdout; messages and progress go to stderr (every ten seconds if
stderr is not a terminal).
If a command fails with --json, the last line on stderr is {"error": {"code", "message", "hint", "where"}}.

Environment:
  DEBUG  print the stack trace of an error

Exit codes:
  0      success
  1      a bug in Vicinal
  2      wrong usage: an unknown command, flag or value
  3      bad data: the message says where
  4      a file is missing, unreadable, already there or not a model; the disk is full
  130    stopped by Ctrl-C (143: SIGTERM, 129: SIGHUP)

Run \`vicinal <command> --help\` for a command's flags and examples.`

/** With `json`, the help for a wrong call is not printed to stderr, where programs read the error. */
export function createProgram(io: CommandIo, json = false): Command {
  const program = new Command('vicinal')
    .description('Find nearest neighbors, label with thousands of labels, and remember what helped.')
    .usage('<command> [options]')
    .exitOverride()
    .configureOutput(plainOutput(io, json))
    .configureHelp({ showGlobalOptions: true, subcommandTerm: shortTerm })
    .commandsGroup('More:')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON object instead of text')
    .option('--threads <n>', 'number of threads (default: one per core)', wholeNumber(1, 1024))
    .option('--seed <n>', 'random seed (default: 1)', wholeNumber(0, 2 ** 32 - 1))
    .addHelpText('after', closing)
  for (const add of commands) add(program, io)
  return program
}

/** `inspect <file>`, without "[options]". */
function shortTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ')
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}…` : argument.name()
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Errors are reported in one place, packages/vicinal/command/reports/error.ts: commander stays silent about them. */
function plainOutput({ stdout, stderr }: CommandIo, json: boolean): OutputConfiguration {
  return {
    writeOut: text => stdout.write(text),
    writeErr: text => json || stderr.write(text),
    outputError: () => {},
    getOutHelpWidth: () => stdout.columns || 80,
    getErrHelpWidth: () => stderr.columns || 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  }
}
