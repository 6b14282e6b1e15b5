import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import {
  invalidRequest,
  onrampFailed,
  onrampUnavailable,
  rateLimited,
  unavailable,
  unsupportedNetwork,
} from '../../refusals.ts'
import { Address, Network, Timestamp } from '../../schemas/words.ts'

/** What one session may buy, in USDC: whole cents. */
const AMOUNT = { least: 1, most: 500 } as const
const AmountUsd = z
  .string()
  .regex(/^[1-9]\d{0,2}(\.\d{1,2})?$/, 'must be an amount in USD with at most two decimals')
  .refine((text) => Number(text) <= AMOUNT.most, `must be from ${AMOUNT.least} to ${AMOUNT.most}`)

const Money = z.object({ amount: z.string().max(40), currency: z.string().max(16) })

/** What the provider says that the purchase costs: its word. */
export const OnrampQuote = z.object({
  total: Money,
  receives: Money,
  fees: z.array(Money.extend({ type: z.string().max(64) })).max(16),
})
export type OnrampQuote = z.output<typeof OnrampQuote>

export const OnrampSession = z.object({
  /** `devnet_faucet` sends test money of a local chain, which is worth nothing. */
  provider: z.enum(['coinbase', 'devnet_faucet']),
  wallet: Address,
  network: Network,
  amountUsd: z.string(),
  /** Where the wallet’s holder pays, once: the URL is spent when it was opened. Null where the money was sent already. */
  onrampUrl: z.string().max(4_096).nullable(),
  /** The transaction that brought the test money; null where a provider is paid first. */
  transaction: z.string().nullable(),
  quote: OnrampQuote.nullable(),
  /** What happens now, in one sentence. */
  message: z.string(),
  createdAt: Timestamp,
})
export type OnrampSession = z.output<typeof OnrampSession>

/**
 * Anyone may ask for any wallet, for money only comes to it. Whoever pays does so at the provider, who knows them; nothing
 * of the requester, its address neither, is sent there.
 */
export const onrampSession = operation({
  id: 'router.onrampSession',
  summary: 'Create an onramp session, in which money buys USDC for a wallet',
  timeoutMs: 30_000,
  http: {
    method: 'POST',
    path: '/api/wallet/onramp-session',
    auth: 'none',
    limit: 'onramp',
    ok: 201,
    stability: 'beta',
  },
  input: z.strictObject({
    wallet: Address,
    network: Network,
    /** USDC to be bought. */
    amountUsd: AmountUsd,
    /** Where the provider leads back to: a page of this instance. */
    redirectUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2_048)
      .optional(),
    /** ISO 3166-1 alpha-2 of whoever pays; with it the provider may quote. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166-1)')
      .optional(),
    /** ISO 3166-2 without the country, which the provider wants in some. */
    subdivision: z
      .string()
      .regex(/^[A-Z0-9]{1,3}$/, 'must be one to three capital letters or digits (ISO 3166-2)')
      .optional(),
  }),
  output: OnrampSession,
  errors: [invalidRequest, unsupportedNetwork, rateLimited, onrampUnavailable, onrampFailed, unavailable],
})

nameSchemas({ OnrampQuote, OnrampSession })
