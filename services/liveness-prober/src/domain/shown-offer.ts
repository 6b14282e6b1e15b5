import type { ShownOffer, UnreadEntry as ShownUnread } from '@callboard/contract'
import type { ForeignOffer, Payability, PaymentRequirements } from '@callboard/x402'
import { cleanObject, cleanText } from './foreign-json.ts'

const MAX_EXTRA_CHARACTERS = 2 * 1024
/** For all entries shown together, since every check publishes them. Entries beyond it are shown without. */
const MAX_EXTRAS_CHARACTERS = 16 * 1024
const MAX_UNREAD_CHARACTERS = 1024

/** The entries of an offer in the contract's terms. @param extraOf shared by offers that are shown together */
export const shownAccepts = (
  { accepts, payability }: Pick<ForeignOffer, 'accepts' | 'payability'>,
  extraOf: ExtraOf = extrasInSum(),
): ShownOffer[] => accepts.flatMap((entry, at) => shownOffer(entry, payability[at], extraOf))

export function shownUnread({ index, issue, given }: ForeignOffer['unread'][number]): ShownUnread {
  const shown = cleanObject({ given }, MAX_UNREAD_CHARACTERS)
  return { index, issue, ...(shown ? { entry: shown.given } : {}) }
}

export type ExtraOf = (entry: PaymentRequirements) => Record<string, unknown> | undefined

/** Returns the `extra` of successive entries, for as long as they fit together. */
export function extrasInSum(): ExtraOf {
  let left = MAX_EXTRAS_CHARACTERS
  return ({ extra }) => {
    const shown = cleanObject(extra, Math.min(MAX_EXTRA_CHARACTERS, left))
    if (shown) left -= JSON.stringify(shown).length
    return shown
  }
}

function shownOffer(entry: PaymentRequirements, verdict: Payability | undefined, extraOf: ExtraOf): ShownOffer | [] {
  if (!verdict) return []
  const extra = extraOf(entry)
  return {
    scheme: cleanText(entry.scheme, 64),
    network: entry.network,
    asset: verdict.payable ? verdict.token.asset : cleanText(entry.asset, 128),
    amount: entry.amount,
    payTo: verdict.payable ? verdict.payTo : cleanText(entry.payTo, 128),
    maxTimeoutSeconds: entry.maxTimeoutSeconds,
    ...(extra ? { extra } : {}),
    payable: verdict.payable,
    notPayableReason: verdict.payable ? null : verdict.reason,
  }
}
