import { ChainConfig } from '@callboard/evm'
import { envBoolean, envInt, envJson, rotates } from '@callboard/runtime'
import { type Address, baseUnits, DAY_MS, HOUR_MS, USDC_DECIMALS } from '@callboard/values'
import { AddressText, Caip2Text, ConfirmationText } from '@callboard/x402'
import { z } from 'zod'
import { readSigners, SIGNER_FORMS } from './signers/signer-list.ts'

const Signers = z.string().transform((text, ctx) => {
  const signers = readSigners(text)
  if (signers) return signers
  ctx.addIssue({ code: 'custom', message: SIGNER_FORMS })
  return z.NEVER
})

const GweiByNetwork = envJson(z.record(Caip2Text, z.number().min(0.001).max(1_000_000)))

const UsdPrice = z
  .string()
  .refine((text) => (baseUnits(text, USDC_DECIMALS) ?? 0n) > 0n, 'must be a positive USD amount of up to 6 decimals')

const Percent = z.number().min(0.001).max(100)
const GasShares = envJson(
  z.strictObject({
    kept: z.number().min(0).max(99).default(30),
    payee: Percent.default(10),
    requester: Percent.default(20),
    key: Percent.default(30),
    wasted: Percent.default(2),
    newPayers: Percent.default(5),
    newContracts: Percent.default(1),
  }),
)

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what the discovery documents name our resources by.'),
  FACILITATOR_KEYS: rotates(Signers).describe(
    'The accounts that send settlements, comma-separated: private keys, or keys elsewhere as `aws-kms:0xADDRESS@ARN`, `gcp-kms:0xADDRESS@projects/…/cryptoKeyVersions/N` and `web3signer:0xADDRESS@URL`. `retiring:` before one ends its payments and takes no new ones. They pay gas and hold no customer money.',
  ),
  SIGNER_TIMEOUT_MS: envInt(50, 10_000)
    .default(3_000)
    .describe('The longest wait for a signature of a key elsewhere; its account is passed over for 5 s then.'),
  GCP_KMS_URL: z.url().default('https://cloudkms.googleapis.com').describe('Where Google’s Cloud KMS answers.'),
  X402_V1: envBoolean.default(false).describe('Whether `/x402/verify` and `/x402/settle` take version 1 payments.'),
  SETTLE_WAIT_MS: envInt(500, 75_000)
    .default(20_000)
    .describe(
      'How long a settlement is waited for before it is answered with `settlement_pending`: below the 30 s after which the Go client gives up.',
    ),
  GAS_LIMIT: envInt(60_000, 2_000_000)
    .default(200_000)
    .describe('Gas of one transfer. A payer whose contract needs more is refused in verification.'),
  BATCH_PAYMENTS: envInt(1, 150)
    .default(125)
    .describe('The most payments of one transaction, where the chain has a settlement batch contract. 1: each alone.'),
  BATCH_LEG_GAS: envInt(80_000, 1_000_000)
    .default(100_000)
    .describe('Gas of one payment within a batch. A payment that needs more is settled alone.'),
  BATCH_GAS: envInt(200_000, 100_000_000)
    .default(15_000_000)
    .describe('The most gas of one batch; chains take at most 16,777,216 of a transaction (EIP-7825).'),
  LANE_DEPTH: envInt(1, 100)
    .default(4)
    .describe('Transactions of one account on their way, above which payments wait and are settled together.'),
  EXPOSURE_START: envInt(1, 1000)
    .default(5)
    .describe(
      'Payments of a new payer that may be on their way or have come to nothing within an hour: each may cost us gas.',
    ),
  EXPOSURE_MOST: envInt(1, 10_000)
    .default(500)
    .describe('What that grows to, by one with each settled payment of at least `EXPOSURE_FLOOR_USD`.'),
  EXPOSURE_FLOOR_USD: UsdPrice.default('0.001').describe(
    'Payments below this move dust: their gas counts as wasted, and they earn a payer nothing.',
  ),
  GAS_PER_HOUR: envInt(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('Gas that settlements of one chain may burn within an hour.'),
  GAS_PER_DAY: envInt(1_000_000, 20_000_000_000_000)
    .default(10_000_000_000)
    .describe('Gas that settlements of one chain may burn within a day.'),
  GAS_SHARES: GasShares.prefault('{}').describe(
    'JSON of percents of both budgets: `kept` for payees of live listings, half of it also for holders of keys (30); what payments without key or listing may spend by `payee` (10) and by `requester`, an IPv4 /24 or IPv6 /48 (20); what a `key` holder may (30); what new payers may waste of one of these (`wasted`, 2), and all of them together without code (`newPayers`, 5) and with code (`newContracts`, 1).',
  ),
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
  DECODE_PRICE_USD: UsdPrice.default('0.001').describe('Price of one `/x402/decode`.'),
  DECODE_PAY_TO: AddressText.describe(
    'Who is paid for `/x402/decode`. Nothing else may be sold to this address at the same price.',
  ),
  ROUTER_PAY_TO: AddressText.optional().describe(
    'Who is paid for the Router’s balance. Default: `DECODE_PAY_TO`, where a top-up stands among the payments of the decoder’s listing.',
  ),
  DECODE_CONFIRMATIONS: envJson(z.record(Caip2Text, ConfirmationText))
    .prefault('{}')
    .describe(
      'JSON of CAIP-2 network to the policy under which `/x402/decode` is sold there: from where on its payments count. Default: the network’s own (`CONFIRMATIONS`).',
    ),
  DECODE_V1: envBoolean.default(false).describe('Whether `/x402/decode` also sells to version 1 clients.'),
  DISCOVERY_MIN_USD: z
    .string()
    .refine((text) => (baseUnits(text, USDC_DECIMALS) ?? 0n) > 0n, 'must be a positive USD amount of up to 6 decimals')
    .default('0.001')
    .describe('The least payment on which the resource that it names is probed, to be listed in discovery.'),
  DISCOVERY_PROBE_INTERVAL_MS: envInt(100, 30 * DAY_MS)
    .default(HOUR_MS)
    .describe('Time from one probe of a discovered resource to the next, while payments name it.'),
  DISCOVERY_PROBES_PER_HOUR: envInt(1, 1_000_000)
    .default(3_600)
    .describe('The most probes that discovery asks for within an hour, over all resources and replicas.'),
  DISCOVERY_PROBES_PER_NAME: envInt(1, 1_000_000)
    .default(120)
    .describe('The most of them for resources of one origin, and for resources of one payee.'),
  DISCOVERY_POLL_MS: envInt(10, 600_000)
    .default(1_000)
    .describe(
      'The least time between two looks for resources that are due; discovery looks when one is, and this often while Postgres’ notifications do not arrive.',
    ),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>

/** Whether a payee is one to whom our own sales are paid. */
export const paysUs = ({ DECODE_PAY_TO, ROUTER_PAY_TO }: Config, payTo: Address): boolean =>
  payTo === DECODE_PAY_TO || payTo === ROUTER_PAY_TO
