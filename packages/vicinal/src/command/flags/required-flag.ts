// A required flag. Commander checks its own required options before it looks for unknown flags, so that
// `--ouut model` would report "--out is missing". Checked here, just before the command starts, the error names the misspelled flag.

import type { Command } from 'commander'

/** Adds an option that must be given. */
export function addRequiredFlag(command: Command, flags: string, description: string): Command {
  const name = /^--([a-z-]+)/.exec(flags)?.[1] ?? flags
  return command.option(flags, description).hook('preAction', self => {
    if (self.getOptionValue(name) !== undefined) return
    self.error(`error: required option '${flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' })
  })
}
