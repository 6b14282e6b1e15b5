import { parseArgs } from 'node:util'

const USAGE = `usage: npm run conformance -- http://host:port [devnet.json] [--only TEXT] [--help]
  Runs the black-box suite against a running instance. With the devnet.json of the instance, it also runs the tests that move
  money, on that chain only.
  -t, --only TEXT   the tests of the operation with this ID, such as agents.list; for other text, the tests whose name contains it
exit codes: 0 nothing failed, 1 something failed, 2 command line not understood`

/** What to run against which instance. */
export interface Given {
  readonly baseUrl: string
  readonly devnetFile: string | undefined
  /** The id of an operation, or a part of the tests' names; the empty text selects all. */
  readonly only: string
}

/** Parses the command line. @returns an exit code if there is nothing to run: 0 after the help, 2 on a syntax error */
export function readCommandLine(given: readonly string[]): Given | 0 | 2 {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      options: { only: { type: 'string', short: 't', default: '' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(USAGE)
      return 0
    }
    const [baseUrl, devnetFile, ...more] = positionals
    if (baseUrl && more.length === 0) return { baseUrl, devnetFile, only: values.only }
    console.error(USAGE)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
  return 2
}
