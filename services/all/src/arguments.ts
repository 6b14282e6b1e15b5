import { commandLine } from '@callboard/runtime/command-line'

export interface Arguments {
  readonly demo: boolean
  readonly printConfig: boolean
  readonly listTargets: boolean
  readonly migrate: boolean
}

const USAGE = `usage: npm start [-- --no-demo] [--print-config] [--list-targets] [--migrate] [--help]
  Runs an instance with the services that TARGET names (all), and embeds the resources that no setting provides.
  --no-demo       leaves the demonstration out
  --print-config  prints the settings with secrets masked, and starts no service. It also works next to a running instance
  --list-targets  prints what TARGET can name
  --migrate       brings schemas, streams and consumers up to date, and exits
settings: docs/configuration.md`

/** Parses the command line of `npm start`; `--help` and syntax errors end the process. */
export function readArguments(given: readonly string[]): Arguments {
  const flag = { type: 'boolean' } as const
  const { values } = commandLine(given, {
    usage: USAGE,
    options: { 'no-demo': flag, 'print-config': flag, 'list-targets': flag, migrate: flag },
  })
  return {
    demo: values['no-demo'] !== true,
    printConfig: values['print-config'] === true,
    listTargets: values['list-targets'] === true,
    migrate: values.migrate === true,
  }
}
