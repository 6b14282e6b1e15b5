import { setImmediate } from 'node:timers/promises'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ApiRefusal, OutcomeUnknown } from '@callboard/client'
import manifest from '../package.json' with { type: 'json' }
import type { Command } from './command.ts'
import { agentLink } from './commands/link.ts'
import { mcp } from './commands/mcp.ts'
import { payUrl } from './commands/pay.ts'
import { policy } from './commands/policy.ts'
import { routerReceipts, routerVerifyReceipts } from './commands/receipts.ts'
import { search } from './commands/search.ts'
import { agentUnlink, agentWhoami } from './commands/self.ts'
import { SELL } from './commands/sell/index.ts'
import { agentTransfer } from './commands/transfer.ts'
import { EXIT, exitCodeOf, Usage } from './exit-codes.ts'
import { jsonOf, printer, shownText } from './print.ts'
import { sentenceOf } from './sentences.ts'
import { readSettings } from './settings.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  'agent link': agentLink,
  'agent whoami': agentWhoami,
  'agent unlink': agentUnlink,
  'agent transfer': agentTransfer,
  search,
  pay: payUrl,
  policy,
  mcp,
  'router receipts': routerReceipts,
  'router verify-receipts': routerVerifyReceipts,
  ...SELL,
}

const EVERYWHERE: ParseArgsOptionsConfig = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
}

const help = () =>
  [
    'callboard COMMAND [--url URL] [--json]',
    'callboard --version',
    '',
    ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`),
    '',
    'CALLBOARD_URL is the address of the service. CALLBOARD_CONFIG_DIR is the folder of the link, the wallet, policy.json',
    'and the ledger. CALLBOARD_AGENT_KEY is the key of the agent’s wallet. CALLBOARD_ROUTER_KEY is its Router key, if it',
    'is not the one of the link. CALLBOARD_PAYOUT_KEY is the key of a seller’s wallet, and CALLBOARD_API_KEY an API key',
    'instead of the one of sell login. CALLBOARD_RPC_URL is a node of the chain for a seller’s splitter.',
    'Data goes to stdout, everything else to stderr.',
    'Exit codes: 0 done, 2 usage, 3 not linked, not signed in or denied, 4 unavailable, 5 refused by the policy or not',
    'payable (nothing was signed), or a listing that cannot be listed as it is, 6 payment refused, 7 signed, with an',
    'unknown outcome or an answer that failed (the message says whether to repeat it), 8 not found, 1 anything else.',
  ].join('\n')

function found(args: readonly string[]): { readonly command: Command; readonly rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const command = COMMANDS[args.slice(0, length).join(' ')]
    if (command) return { command, rest: args.slice(length) }
  }
  return undefined
}

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    console.log(manifest.version)
    return EXIT.ok
  }
  const { command, rest } = found(args) ?? {}
  if (!command || !rest) {
    const asked = args.length === 0 || args.includes('--help') || args.includes('-h')
    if (asked) console.log(help())
    else console.error(`callboard: unknown command ${args.slice(0, 2).join(' ')}\n\n${help()}`)
    return asked ? EXIT.ok : EXIT.usage
  }
  const { values, positionals } = parsed(command, rest)
  if (values.help === true) {
    console.log([`callboard ${command.usage}`, ...(command.about ?? [])].join('\n'))
    return EXIT.ok
  }
  const settings = readSettings({ url: values.url as string | undefined, json: values.json === true })
  return command.run({ settings, print: printer(settings.json), values, words: positionals })
}

function parsed({ options, usage, takesWords = false }: Command, args: string[]) {
  try {
    return parseArgs({ args, options: { ...EVERYWHERE, ...options }, allowPositionals: takesWords })
  } catch (error) {
    throw new Usage(`${error instanceof Error ? error.message : error}\ncallboard ${usage}`)
  }
}

/** What a program learns of a failure besides its message. */
function factsOf(error: unknown): object {
  if (error instanceof OutcomeUnknown) return { repeatable: error.repeatable }
  return error instanceof ApiRefusal ? { code: error.code, status: error.status, requestId: error.requestId } : {}
}

/** What a command did is done, but whoever asked does not have its answer. */
class NotWritten extends Error {
  override readonly name = 'NotWritten'
}

/** Follows whether stdout takes what is printed; a reader that has had enough, as `head` has, loses nothing. */
function lostOutput(): { code?: string } {
  const lost: { code?: string } = {}
  process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') lost.code = code
  })
  return lost
}

/** Runs one command line, reports errors on stderr, and sets the process's exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const lost = lostOutput()
  try {
    const code = await main(args)
    // A failed write to a file is reported a turn later.
    await setImmediate()
    if (code === EXIT.ok && lost.code) throw new NotWritten(`The output could not be written (${lost.code}).`)
    process.exitCode = code
  } catch (error) {
    process.exitCode = exitCodeOf(error)
    const message = sentenceOf(error)
    console.error(args.includes('--json') ? jsonOf({ message, ...factsOf(error) }) : shownText(`callboard: ${message}`))
  }
}
