import { z } from 'zod'

/** Test tokens and other assets worth a dollar that the stock client does not know. */
export interface KnownAsset {
  readonly network: string
  readonly asset: string
}

const Entry = z.object({ scheme: z.string(), network: z.string(), asset: z.string() })
type Entry = z.output<typeof Entry>

const Offer = z.object({ accepts: z.array(z.unknown()) })

/**
 * The parts of an entry that are signed, in x402's form. The stock client signs any value: a time given as text, which
 * it would append to the present one, makes a signature that never expires.
 */
export const SignedTerms = z.object({
  amount: z.string().regex(/^\d{1,78}$/),
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
  /** It asks for tokens that are not known here to be dollars. */
  | { readonly kind: 'unknown_asset'; readonly assets: readonly KnownAsset[] }

/** The entries of a 402, as far as they can be read: version 2 in the header, version 1 in the body. */
export async function entriesOf(answer: Response): Promise<readonly Entry[] | undefined> {
  const header = answer.headers.get('payment-required')
  const text = header === null ? await answer.text() : Buffer.from(header, 'base64').toString()
  try {
    const { accepts } = Offer.parse(JSON.parse(text))
    return accepts.flatMap((entry) => Entry.safeParse(entry).data ?? [])
  } catch {
    return undefined
  }
}

/** Returns why none of an offer's entries could be paid. */
export function whyNotPaid(entries: readonly Entry[] | undefined): NotPaidFor {
  if (!entries || entries.length === 0) return { kind: 'unreadable' }
  const payable = entries.filter(({ scheme }) => scheme === 'exact')
  const evm = payable.filter(({ asset }) => /^0x[0-9a-fA-F]{40}$/.test(asset))
  if (evm.length === 0) {
    return {
      kind: 'other_scheme',
      schemes: [...new Set(entries.map(({ scheme, network }) => `${scheme} on ${network}`))],
    }
  }
  return { kind: 'unknown_asset', assets: evm.map(({ network, asset }) => ({ network, asset })) }
}
