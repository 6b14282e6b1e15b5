import { chainIdOf } from '@callboard/values'
import { isObject, own } from '../json.ts'
import type { ForeignOfferContext } from './foreign-offer-context.ts'
import { isKnownFlow, type OfferFault, type Payability } from './match.ts'

/** The verdict on an entry; if it is payable in itself, the reason that keeps a stock client from it. */
export const unless = (verdict: Payability, reason: OfferFault): Payability =>
  verdict.payable ? { payable: false, reason } : verdict

/**
 * Index of the entry chosen by a stock client that is set up for our chains and tokens: among those with scheme
 * `exact`, a known token and a known flow the first, preferring the flow `authorization`. Whether it can be paid is not
 * checked here, as the client does not check it either: it fails and tries no other.
 * @returns undefined when there is none, or when one is null: the client fails on that before it chooses
 * @source @x402/core 2.27, x402Client.selectPaymentRequirements
 */
export function chosenByStockClient(
  accepts: readonly unknown[],
  x402Version: 1 | 2,
  { networks, tokens }: ForeignOfferContext,
): number | undefined {
  if (accepts.includes(null)) return undefined
  const isKnown = (entry: unknown): entry is Record<string, unknown> => {
    if (!isObject(entry)) return false
    const { network, scheme, asset } = entry
    if (typeof network !== 'string') return false
    const chain = x402Version === 1 ? networks.get(network) : network
    const served = tokens.filter((token) => token.network === chain && chainIdOf(token.network) !== undefined)
    if (scheme !== 'exact' || typeof asset !== 'string') return false
    return (
      served.some((token) => token.asset.toLowerCase() === asset.toLowerCase()) &&
      isKnownFlow({ extra: extraOf(entry) })
    )
  }
  const known = [...accepts.entries()].flatMap(([at, entry]) => (isKnown(entry) ? [{ at, extra: extraOf(entry) }] : []))
  return inOrderOfChoice(known)[0]?.at
}

/** Entries in the order in which a stock client prefers them: as offered, but those with the flow `authorization` first. */
export function inOrderOfChoice<Entry extends { readonly extra?: Record<string, unknown> | undefined }>(
  entries: readonly Entry[],
): Entry[] {
  const isAuthorized = ({ extra }: Entry) => (extra?.paymentFlow ?? 'authorization') === 'authorization'
  return [...entries.filter(isAuthorized), ...entries.filter((entry) => !isAuthorized(entry))]
}

function extraOf(entry: Record<string, unknown>): Record<string, unknown> | undefined {
  const extra = own(entry, 'extra')
  return isObject(extra) ? extra : undefined
}
