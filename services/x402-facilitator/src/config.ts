import { ChainConfig } from '@callboard/evm'
import { envBoolean, envInt, envJson, secret } from '@callboard/runtime'
import { baseUnits, type Hex, USDC_DECIMALS } from '@callboard/values'
import { AddressText, Caip2Text } from '@callboard/x402'
import { z } from 'zod'

const PrivateKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.array(z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be private keys, 0x and 64 hex digits each')).min(1))
  .transform((keys) => keys as Hex[])

const GweiByNetwork = envJson(z.record(Caip2Text, z.number().min(0.001).max(1_000_000)))

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what the discovery documents name our resources by.'),
  FACILITATOR_KEYS: secret(PrivateKeys).describe(
    'Private keys of the accounts that send settlements, comma-separated. They pay gas and hold no customer money.',
  ),
  X402_V1: envBoolean.default(false).describe('Whether `/x402/verify` and `/x402/settle` take version 1 payments.'),
  SETTLE_WAIT_MS: envInt(500, 75_000)
    .default(30_000)
    .describe('How long a settlement is waited for before it is answered with `settlement_pending`.'),
  GAS_LIMIT: envInt(60_000, 2_000_000)
    .default(200_000)
    .describe('Gas of one transfer. A payer whose contract needs more is refused in verification.'),
  BATCH_PAYMENTS: envInt(1, 150)
    .default(125)
    .describe('The most payments of one transaction, where the chain has a settlement batch contract. 1: each alone.'),
  BATCH_LEG_GAS: envInt(60_000, 1_000_000)
    .default(100_000)
    .describe('Gas of one payment within a batch. A payment that needs more is settled alone.'),
  BATCH_GAS: envInt(200_000, 100_000_000)
    .default(15_000_000)
    .describe('The most gas of one batch; chains take at most 16,777,216 of a transaction (EIP-7825).'),
  LANE_DEPTH: envInt(1, 100)
    .default(4)
    .describe('Transactions of one account on their way, above which payments wait and are settled together.'),
  REVERTS_PER_PAYER: envInt(1, 1000)
    .default(5)
    .describe('A payer whose payments reverted so often within an hour is refused: each one costs us gas.'),
  MAX_FEE_GWEI: GweiByNetwork.optional().describe(
    'JSON of CAIP-2 network to the most gwei per gas. Default 5, or five times the least the chain takes.',
  ),
  RESEND_AFTER_MS: envInt(500, 600_000)
    .default(6_000)
    .describe('A stored transaction that is in no block is handed to a node again after so long.'),
  REPRICE_AFTER_MS: envInt(1_000, 3_600_000)
    .default(30_000)
    .describe('A transaction that holds up its account for so long is replaced by one with higher fees.'),
  FACILITATOR_BUILDER_CODE: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/)
    .optional()
    .describe('Our own code `w` in the ERC-8021 suffix of payments that carry builder codes.'),
  DECODE_PRICE_USD: z
    .string()
    .refine((text) => (baseUnits(text, USDC_DECIMALS) ?? 0n) > 0n, 'must be a positive USD amount of up to 6 decimals')
    .default('0.001')
    .describe('Price of one `/x402/decode`.'),
  DECODE_PAY_TO: AddressText.describe(
    'Who is paid for `/x402/decode`. Nothing else may be sold to this address at the same price.',
  ),
  DECODE_V1: envBoolean.default(false).describe('Whether `/x402/decode` also sells to version 1 clients.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
