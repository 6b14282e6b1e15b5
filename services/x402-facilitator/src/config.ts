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
    listed: Percent.default(50),
    payee: Percent.default(10),
    requester: Percent.default(20),
    key: Percent.default(30),
    wasted: Percent.default(2),
    newPayers: Percent.default(5),
    newContracts: Percent.default(1),
  }),
)

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL. The discovery documents name our resources by it.'),
  FACILITATOR_KEYS: rotates(Signers).describe(
    'The accounts that send settlements, comma-separated: private keys, or remote keys as `aws-kms:0xADDRESS@ARN`, `gcp-kms:0xADDRESS@projects/…/cryptoKeyVersions/N` and `web3signer:0xADDRESS@URL`. An account prefixed with `retiring:` finishes its payments and takes no new ones. The accounts pay gas and hold no customer money.',
  ),
  SIGNER_TIMEOUT_MS: envInt(50, 10_000)
    .default(3_000)
    .describe(
      'The longest wait for a signature from a remote key. After a timeout, the facilitator passes over its account for 5 s.',
    ),
  GCP_KMS_URL: z.url().default('https://cloudkms.googleapis.com').describe('The base URL of Google Cloud KMS.'),
  X402_V1: envBoolean.default(false).describe('Whether `/x402/verify` and `/x402/settle` accept version 1 payments.'),
  SETTLE_WAIT_MS: envInt(500, 75_000)
    .default(20_000)
    .describe(
      'How long the facilitator waits for a settlement before it answers `settlement_pending`. Keep it below the 30 s after which the Go client gives up.',
    ),
  GAS_LIMIT: envInt(60_000, 2_000_000)
    .default(200_000)
    .describe('The gas limit of one transfer. Verification refuses a payer whose contract needs more.'),
  BATCH_PAYMENTS: envInt(1, 150)
    .default(125)
    .describe(
      'The most payments in one transaction, if the chain has a settlement batch contract. 1: each payment is settled alone.',
    ),
  BATCH_LEG_GAS: envInt(80_000, 1_000_000)
    .default(100_000)
    .describe('The gas limit of one payment within a batch. A payment that needs more is settled alone.'),
  BATCH_GAS: envInt(200_000, 100_000_000)
    .default(15_000_000)
    .describe('The gas limit of one batch. Chains accept at most 16,777,216 gas per transaction (EIP-7825).'),
  LANE_DEPTH: envInt(1, 100)
    .default(4)
    .describe(
      'The number of in-flight transactions of one account above which payments wait and are settled together.',
    ),
  EXPOSURE_START: envInt(1, 1000)
    .default(5)
    .describe(
      'The number of payments of a new payer that may be in flight or may have failed within an hour, because each can cost us gas.',
    ),
  EXPOSURE_MOST: envInt(1, 10_000)
    .default(500)
    .describe(
      'The most that this number grows to. It grows by one with each settled payment of at least `EXPOSURE_FLOOR_USD`.',
    ),
  EXPOSURE_FLOOR_USD: UsdPrice.default('0.001').describe(
    'Payments below this amount are dust: their gas counts as wasted, but not against their payee, they do not raise the payer’s allowance, and they are not served first where the payee has a listing.',
  ),
  GAS_PER_HOUR: envInt(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('The most gas that settlements on one chain may use within an hour.'),
  GAS_PER_DAY: envInt(1_000_000, 20_000_000_000_000)
    .default(10_000_000_000)
    .describe('The most gas that settlements on one chain may use within a day.'),
  GAS_SHARES: GasShares.prefault('{}').describe(
    'A JSON object of percentages of both budgets. `kept` (30) is reserved for payees of live listings; holders of keys may use half of it. `listed` (50) limits one key holder or network (an IPv4 /24 or IPv6 /48) that has payments to listed payees settled. `payee` (10) and `requester` (20, a network) limit payments without a key or listing. `key` (30) limits one key holder, and all key holders of one network together. `wasted` (2) limits what new payers may waste of one payee, requester or key holder. `newPayers` (5) and `newContracts` (1) limit what all new payers may waste together, without code and with code.',
  ),
  MAX_FEE_GWEI: GweiByNetwork.optional().describe(
    'A JSON object from CAIP-2 network to the most gwei per gas. Default: 5, or five times the minimum that the chain accepts.',
  ),
  RESEND_AFTER_MS: envInt(500, 600_000)
    .default(6_000)
    .describe('The time after which a stored transaction that is in no block is sent to a node again.'),
  REPRICE_AFTER_MS: envInt(1_000, 3_600_000)
    .default(30_000)
    .describe('The time after which a transaction that blocks its account is replaced by one with higher fees.'),
  FACILITATOR_BUILDER_CODE: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/)
    .optional()
    .describe('Our own code `w` in the ERC-8021 suffix of payments that carry builder codes.'),
  DECODE_PRICE_USD: UsdPrice.default('0.001').describe('The price of one `/x402/decode` call.'),
  DECODE_PAY_TO: AddressText.describe(
    'The address that is paid for `/x402/decode`. Nothing else may be sold to this address at the same price.',
  ),
  ROUTER_PAY_TO: AddressText.optional().describe(
    'The address that is paid for top-ups of the Router’s balance. Default: `DECODE_PAY_TO`; a top-up then appears among the payments of the decoder’s listing.',
  ),
  DECODE_CONFIRMATIONS: envJson(z.record(Caip2Text, ConfirmationText))
    .prefault('{}')
    .describe(
      'A JSON object from CAIP-2 network to the confirmation at which payments for `/x402/decode` count there. Default: the network’s own (`CONFIRMATIONS`).',
    ),
  DECODE_V1: envBoolean.default(false).describe('Whether `/x402/decode` also sells to version 1 clients.'),
  DISCOVERY_MIN_USD: z
    .string()
    .refine((text) => (baseUnits(text, USDC_DECIMALS) ?? 0n) > 0n, 'must be a positive USD amount of up to 6 decimals')
    .default('0.001')
    .describe('The smallest payment that causes the resource it names to be probed and listed in discovery.'),
  DISCOVERY_PROBE_INTERVAL_MS: envInt(100, 30 * DAY_MS)
    .default(HOUR_MS)
    .describe('The time between two probes of a discovered resource, while payments name it.'),
  DISCOVERY_PROBES_PER_HOUR: envInt(1, 1_000_000)
    .default(3_600)
    .describe('The most probes that discovery requests within an hour, over all resources and replicas.'),
  DISCOVERY_PROBES_PER_NAME: envInt(1, 1_000_000)
    .default(120)
    .describe(
      'The most probes that discovery requests within an hour for the resources of one site (a registrable domain, or the network of an IPv6 address), and for those of one payee.',
    ),
  DISCOVERY_PER_SITE: envInt(1, 1_000_000)
    .default(1_000)
    .describe(
      'The most listed resources of one site (a registrable domain, or the network of an IPv6 address). A further one is listed when another is no longer.',
    ),
  DISCOVERY_POLL_MS: envInt(10, 600_000)
    .default(1_000)
    .describe(
      'The shortest time between two checks for due resources. Discovery checks when a resource is due, and at this interval while Postgres’ notifications do not arrive.',
    ),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>

/** Whether a payee is one to whom our own sales are paid. */
export const paysUs = ({ DECODE_PAY_TO, ROUTER_PAY_TO }: Config, payTo: Address): boolean =>
  payTo === DECODE_PAY_TO || payTo === ROUTER_PAY_TO
