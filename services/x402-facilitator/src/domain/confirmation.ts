import type { Chain } from '@callboard/evm'
import {
  type Confirmation,
  type ConfirmationPolicy,
  type ConfirmationReached,
  ConfirmationText,
  isAsFarAs,
  type PaymentRequirements,
} from '@callboard/x402'
import type { State } from './payment-state.ts'

/** The path of an offer's confirmation policy in a request. */
export const CONFIRMATION_FIELD = 'paymentRequirements.extra.confirmation'

export type PolicyAsked =
  | { readonly ok: true; readonly policy: Confirmation }
  | { readonly ok: false; readonly message: string }

/** Reads from where on a payment counts: the offer's policy, if allowed; the operator's default if it names none. */
export function policyAsked({ network, extra }: PaymentRequirements, rule: ConfirmationPolicy): PolicyAsked {
  const asked = extra?.confirmation
  if (asked === undefined) return { ok: true, policy: rule.default }
  const read = ConfirmationText.safeParse(asked)
  if (read.success && rule.allowed.includes(read.data)) return { ok: true, policy: read.data }
  const why = read.success ? `"${read.data}" is not allowed` : 'no such policy is known'
  return {
    ok: false,
    message: `extra.confirmation: ${why} on ${network}. Allowed: ${rule.allowed.map((one) => `"${one}"`).join(', ')}.`,
  }
}

const REACHED: Record<State, Confirmation | null> = {
  absent: null,
  claimed: null,
  refused: null,
  verified: null,
  signed: null,
  broadcast: null,
  preconfirmed: 'preconfirmed',
  mined: 'included',
  safe: 'safe',
  final: 'finalized',
  reverted: null,
  failed: null,
}

/** The confirmation a payment has reached; null while no money has moved. */
export const reachedBy = (state: State): Confirmation | null => REACHED[state]

/** Whether a payment counts as paid under a policy. */
export const countsAt = (state: State, policy: Confirmation): boolean => isAsFarAs(REACHED[state], policy)

/** A payment's confirmation, next to the policy under which it is asked about. */
export const confirmationOf = (state: State, policy: Confirmation): ConfirmationReached => ({
  policy,
  reached: REACHED[state],
})

/**
 * The policies of one of our own routes, by network.
 * @throws Error that names each network that is not served, and each policy that is not allowed there
 */
export function routePolicies(
  setting: string,
  asked: Readonly<Record<string, Confirmation>>,
  chains: ReadonlyMap<string, Pick<Chain, 'confirmation'>>,
): ReadonlyMap<string, Confirmation> {
  const problems = Object.entries(asked).flatMap(([network, policy]) => {
    const allowed = chains.get(network)?.confirmation.allowed
    if (!allowed) return `${setting}: ${network} is not served`
    return allowed.includes(policy)
      ? []
      : `${setting}: "${policy}" is not allowed on ${network} (${allowed.join(', ')})`
  })
  if (problems.length > 0) throw new Error(problems.join('; '))
  return new Map(Object.entries(asked))
}
