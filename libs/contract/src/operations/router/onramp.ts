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
  .regex(/^(0|[1-9]\d{0,8})(\.\d{1,2})?$/, 'must be an amount in USD with at most two decimals')
  .refine(
    (text) => Number(text) >= AMOUNT.least && Number(text) <= AMOUNT.most,
    `must be from ${AMOUNT.least} to ${AMOUNT.most}`,
  )

const Money = z.object({ amount: z.string().max(40), currency: z.string().max(16) })

/** The cost of the purchase, as the provider states it. */
export const OnrampQuote = z.object({
  total: Money,
  receives: Money,
  fees: z.array(Money.extend({ type: z.string().max(64) })).max(16),
})
export type OnrampQuote = z.output<typeof OnrampQuote>

export const OnrampSession = z.object({
  /** `devnet_faucet` sends worthless test money of a local chain. */
  provider: z.enum(['coinbase', 'devnet_faucet']),
  wallet: Address,
  network: Network,
  amountUsd: z.string(),
  /** Where the wallet’s holder pays; the URL works once. Null where the money was already sent. */
  onrampUrl: z.string().max(4_096).nullable(),
  /** The transaction that sent the test money; null where a provider is paid first. */
  transaction: z.string().nullable(),
  quote: OnrampQuote.nullable(),
  /** What happens next, in one sentence. */
  message: z.string(),
  createdAt: Timestamp,
})
export type OnrampSession = z.output<typeof OnrampSession>

/**
 * Anyone may ask for any wallet, since money can only be sent to it. The payer pays at the provider, which identifies
 * them; nothing about the requester, not even its address, is sent there.
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
    /** USDC to buy. */
    amountUsd: AmountUsd,
    /** Where the provider redirects afterwards: a page of this instance. */
    redirectUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2_048)
      .optional(),
    /** ISO 3166-1 alpha-2 code of the payer's country; the provider may need it for a quote. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166-1)')
      .optional(),
    /** ISO 3166-2 subdivision without the country, which the provider requires for some countries. */
    subdivision: z
      .string()
      .regex(/^[A-Z0-9]{1,3}$/, 'must be one to three capital letters or digits (ISO 3166-2)')
      .optional(),
  }),
  output: OnrampSession,
  errors: [invalidRequest, unsupportedNetwork, rateLimited, onrampUnavailable, onrampFailed, unavailable],
})

nameSchemas({ OnrampQuote, OnrampSession })
