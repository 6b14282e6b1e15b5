import { DAY_MS, HOUR_MS, usdcOfUsd, usdOfUsdc } from '@callboard/values'
import { z } from 'zod'

/** An amount of USD as decimal text, exact to the millionth; parsed to base units of USDC. */
const Usd = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})(\.\d{1,6})?$/, 'must be an amount of USD, for example 0.10')
  .transform(usdcOfUsd)
  .pipe(z.bigint())

const Recipient = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => text.toLowerCase())

/** What an agent may spend on its own. Checked before anything is signed. */
export const SpendingPolicy = z.strictObject({
  perCallUsd: Usd.default(100_000n),
  perHourUsd: Usd.default(1_000_000n),
  perDayUsd: Usd.default(5_000_000n),
  /** Recipients that may be paid; anyone when absent. */
  allowRecipients: z.array(Recipient).optional(),
  denyRecipients: z.array(Recipient).default([]),
  /** CAIP-2; all that the service settles on when absent. */
  networks: z.array(z.string()).optional(),
})
export type SpendingPolicy = z.output<typeof SpendingPolicy>

/** What a seller asks for. */
export interface Asked {
  readonly network: string
  readonly payTo: string
  /** Base units of USDC. */
  readonly amount: bigint
  /** How long a seller may use the signature. */
  readonly validForMs?: number
}

/** An amount spent or promised: a signature that may still be used counts as spent. */
export interface Spent {
  /** Unix milliseconds. */
  readonly at: number
  readonly amount: bigint
}

export type Decision = { readonly pay: true } | { readonly pay: false; readonly reason: string }

/**
 * The longest that a seller may use a signature. Limits look back a day, and the ledger forgets a payment of unknown
 * outcome after a month: a signature of years could be used after both.
 */
const LONGEST_VALID_MS = DAY_MS

const no = (reason: string): Decision => ({ pay: false, reason })

/** Decides whether a payment is within the policy, given all earlier spending. */
export function decide(policy: SpendingPolicy, spent: readonly Spent[], asked: Asked, now: number): Decision {
  const alone = decideAlone(policy, asked)
  if (!alone.pay) return alone
  const within = (ms: number) =>
    spent.filter(({ at }) => now - at < ms).reduce((sum, { amount }) => sum + amount, asked.amount)
  if (within(HOUR_MS) > policy.perHourUsd)
    return no(`it would exceed the limit of ${usdOfUsdc(policy.perHourUsd)} USD per hour`)
  if (within(DAY_MS) > policy.perDayUsd)
    return no(`it would exceed the limit of ${usdOfUsdc(policy.perDayUsd)} USD per day`)
  return { pay: true }
}

/** Decides whether a payment is within the policy, whatever else was spent. */
function decideAlone(policy: SpendingPolicy, asked: Asked): Decision {
  const payTo = asked.payTo.toLowerCase()
  if (policy.denyRecipients.includes(payTo)) return no(`the policy denies payments to ${asked.payTo}`)
  if (policy.allowRecipients && !policy.allowRecipients.includes(payTo)) {
    return no(`${asked.payTo} is not among the allowed recipients`)
  }
  if (policy.networks && !policy.networks.includes(asked.network))
    return no(`the policy does not allow payments on ${asked.network}`)
  if ((asked.validForMs ?? 0) > LONGEST_VALID_MS)
    return no('the seller asks for a signature that it may use for longer than a day')
  if (asked.amount > policy.perCallUsd) {
    return no(`${usdOfUsdc(asked.amount)} USD is more than the limit of ${usdOfUsdc(policy.perCallUsd)} USD per call`)
  }
  return { pay: true }
}
