import { chainIdOf } from '@callboard/values'
import { z } from 'zod'

/** Test tokens and other assets worth a dollar, of six decimals, that the stock client does not know. */
export interface KnownAsset {
  readonly network: string
  readonly asset: string
}

const Word = z.string().max(64)
const Entry = z.object({ scheme: Word, network: Word, asset: Word })
type Entry = z.output<typeof Entry>

const Offer = z.object({
  x402Version: z.unknown().optional(),
  accepts: z.array(z.unknown()),
  extensions: z.looseObject({}).or(z.array(z.unknown())).nullish(),
})

/** What a 402 says, as far as it can be read. */
export interface SeenOffer {
  readonly version: unknown
  readonly entries: readonly Entry[]
}

/**
 * The parts of an entry that are signed, in x402's form. The stock client signs any value: a time given as text, which
 * it would append to the present one, makes a signature that never expires.
 */
export const SignedTerms = z.object({
  amount: z.string().regex(/^\d{1,78}$/),
  payTo: z.string(),
  maxTimeoutSeconds: z.int().positive(),
})

const SignedUntil = z.union([
  z.object({ authorization: z.object({ validBefore: z.coerce.number() }) }),
  z.object({ permit2Authorization: z.object({ deadline: z.coerce.number() }) }),
])

/** When a signed payload expires, in Unix milliseconds. */
export function usableUntil(payload: unknown): number {
  const read = SignedUntil.safeParse(payload)
  if (!read.success) return Number.MAX_SAFE_INTEGER
  return (
    1_000 *
    ('authorization' in read.data ? read.data.authorization.validBefore : read.data.permit2Authorization.deadline)
  )
}

/** Why an offer was not paid; nothing was signed. */
export type NotPaidFor =
  /** It is not an x402 offer, or not one that can be signed. */
  | { readonly kind: 'unreadable' }
  /** It asks for a way to pay other than `exact` on an EVM chain; `schemes` are those it offers. */
  | { readonly kind: 'other_scheme'; readonly schemes: readonly string[] }
  /** It is an offer of version 1, which is not paid here. */
  | { readonly kind: 'version_1' }
  /** It asks for tokens that are not known here to be dollars. Their networks are CAIP-2. */
  | { readonly kind: 'unknown_asset'; readonly assets: readonly KnownAsset[] }

/** The offer of a 402, as far as it can be read: version 2 in the header, version 1 in the body. */
export async function offerIn(answer: Response): Promise<SeenOffer | undefined> {
  const header = answer.headers.get('payment-required')
  const text = header === null ? await answer.text() : Buffer.from(header, 'base64').toString()
  try {
    const { x402Version, accepts } = Offer.parse(JSON.parse(text))
    return { version: x402Version, entries: accepts.flatMap((entry) => Entry.safeParse(entry).data ?? []) }
  } catch {
    return undefined
  }
}

/** Returns why none of an offer's entries could be paid. */
export function whyNotPaid({ version, entries }: SeenOffer = { version: undefined, entries: [] }): NotPaidFor {
  if (entries.length === 0) return { kind: 'unreadable' }
  if (version === 1) return { kind: 'version_1' }
  const payable = entries.filter(({ scheme, network }) => scheme === 'exact' && chainIdOf(network) !== undefined)
  const evm = payable.filter(({ asset }) => /^0x[0-9a-fA-F]{40}$/.test(asset))
  if (evm.length === 0) {
    return {
      kind: 'other_scheme',
      schemes: [...new Set(entries.map(({ scheme, network }) => `${scheme} on ${network}`))],
    }
  }
  return { kind: 'unknown_asset', assets: evm.map(({ network, asset }) => ({ network, asset })) }
}
