import {
  ApiRefusal,
  ApiUnreachable,
  LedgerUnusable,
  NoToken,
  NotLinked,
  type NotPaidFor,
  NotPayable,
} from '@callboard/client'
import { NotSignedIn } from './exit-codes.ts'
import { shownLine } from './print.ts'

/** What a person can do about a failure; undefined where its message already says so. */
function mendOf(error: unknown): string | undefined {
  if (error instanceof ApiUnreachable)
    return 'Is it running? Set the address of the service with --url or CALLBOARD_URL.'
  if (error instanceof NotLinked) return 'Link this agent with: callboard agent link'
  if (error instanceof NotSignedIn) return 'Sign in with: callboard sell login, or set CALLBOARD_API_KEY'
  if (error instanceof NoToken)
    return 'On a devnet, name its test USDC with --asset CAIP2/ADDRESS (it is in devnet.json).'
  if (error instanceof LedgerUnusable)
    return 'Restore the file, or remove that line, or the file: what it holds then no longer counts toward the limits.'
  if (!(error instanceof ApiRefusal)) return undefined
  if (error.retryAfterSeconds !== undefined) return `Try again in ${error.retryAfterSeconds} s.`
  if (error.status === 401) return 'Link this agent again with: callboard agent link'
  if (typeof error.details.mend === 'string') return error.details.mend
  return error.status >= 500
    ? `Its operator can find the failure by the request ID ${error.requestId ?? '(none)'}.`
    : undefined
}

/** Why a payment moves nothing: x402's code, and its meaning if the agent can fix it. */
export function refusedFor(reason: string, wallet = 'the agent’s wallet'): string {
  const shown = shownLine(reason)
  if (/insufficient_(balance|funds)/.test(reason)) return `${shown}: ${wallet} holds less than that`
  if (/nonce_already_used/.test(reason)) return `${shown}: it was used before, so it has paid unless you cancelled it`
  return shown
}

const REASONS: { readonly [Kind in NotPaidFor['kind']]: (reason: Extract<NotPaidFor, { kind: Kind }>) => string } = {
  unreadable: () => 'It answered 402 without a valid x402 offer. Its provider has to fix that.',
  other_scheme: ({ schemes }) =>
    `It takes ${schemes.map(shownLine).join(', ')}. This command can pay only the scheme exact on an EVM network.`,
  version_1: () => 'It offers only version 1 of x402. This command pays version 2. Its provider has to update that.',
  unknown_asset: ({ assets }) =>
    `It asks for a token that this command does not know to be worth a dollar. If you trust that it is, and it has six decimals: ` +
    assets.map(({ network, asset }) => `--asset ${network}/${asset}`).join(' or '),
}

/** A failure as a person reads it: what happened, and what can be done, in our own words. */
export function sentenceOf(error: unknown): string {
  if (error instanceof NotPayable) {
    const reason = REASONS[error.reason.kind] as (reason: NotPaidFor) => string
    return `Not paid, and nothing was signed. ${reason(error.reason)}`
  }
  if (error instanceof ApiRefusal && error.code === 'transfer_failed')
    return `Nothing was moved. The service says: ${refusedFor(String(error.details.reason))}.`
  const message = error instanceof Error && isOurs(error) ? error.message : `Something failed unexpectedly: ${error}`
  const mend = mendOf(error)
  return mend ? `${message.replace(/\.$/, '')}. ${mend}` : message
}

/** Whether an error class is ours: a library's message is reported as an unexpected failure. */
const isOurs = ({ name }: Error): boolean =>
  !['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError'].includes(name)
