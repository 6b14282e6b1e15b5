import { type Caip2, evmNetwork } from '@callboard/values'
import { AddressText, Caip2Text } from '@callboard/x402'
import { z } from 'zod'
import { type ChainSet, chainSet } from './chain-set.ts'
import { type ChainClients, type ChainWatch, chainClients } from './client.ts'
import { AskedConfirmations } from './confirmations.ts'

const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        ctx.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const Devnet = z.object({
  rpcUrl: z.url(),
  chainId: z.number().int().positive(),
  usdc: AddressText,
  usdcName: z.string().default('USDC'),
  splitterFactory: AddressText,
  splitterTreasury: AddressText.optional(),
  settlementBatch: AddressText.optional(),
  stake: AddressText.optional(),
  stakeToken: AddressText.optional(),
  burnLedger: AddressText.optional(),
  identityRegistry: AddressText.optional(),
  reputationRegistry: AddressText.optional(),
  blockTimeMs: z.number().int().positive().default(1000),
  finality: z.enum(['instant', 'tags']).default('instant'),
  finalityDepth: z.number().int().nonnegative().optional(),
  preconfirmationMs: z.number().int().positive().optional(),
  confirmation: AskedConfirmations.optional(),
  v1Name: z.string().optional(),
})

/** The settings of every service that reads a chain. */
export const ChainConfig = z.object({
  RPC_URLS: json(z.record(Caip2Text, z.array(z.url()).min(1)))
    .optional()
    .describe(
      'The chains to serve: a JSON object from CAIP-2 network to RPC URLs, the preferred one first. Redirects are not followed.',
    )
    .meta({ keysInUrls: true }),
  SPLITTER_FACTORIES: json(z.record(Caip2Text, AddressText))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to splitter factory. A chain without one accepts no self-listings. The factory’s code is compared with ours.',
    ),
  SPLITTER_TREASURIES: json(z.record(Caip2Text, AddressText))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to the treasury that its splitter factory was deployed with. Every network of SPLITTER_FACTORIES must have one.',
    ),
  SETTLEMENT_BATCHES: json(z.record(Caip2Text, AddressText))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to settlement batch contract. Without one, each payment is a transaction of its own.',
    ),
  CONFIRMATIONS: json(z.record(Caip2Text, AskedConfirmations))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to `{default, allowed}`: the confirmation at which a settlement counts (`preconfirmed`, `included`, `safe` or `finalized`), and the confirmations that an offer may ask for. Default: `included`, and all that the chain has except `preconfirmed`.',
    ),
  DEVNET: json(Devnet)
    .optional()
    .describe('The local chain as JSON, which the embedded mode sets. Empty in a cluster.')
    .meta({ keysInUrls: true }),
})
export type ChainConfig = z.output<typeof ChainConfig>

/** The networks of a run whose money is real: all of `RPC_URLS` except one that a local chain imitates. */
export function realNetworks({ RPC_URLS: rpcUrls = {}, DEVNET: devnet }: ChainConfig): readonly Caip2[] {
  const local = devnet && evmNetwork(devnet.chainId)
  return (Object.keys(rpcUrls) as Caip2[]).filter((network) => network !== local)
}

/**
 * Opens the chains of a run and their readers.
 * @param watch measures the requests, and receives the endpoints' states
 * @throws Error that names a network which is not in the table, or lacks a setting
 */
export function openChains(
  config: ChainConfig,
  watch?: Partial<ChainWatch>,
): { chains: ChainSet; clients: ChainClients } {
  const rpcUrls = config.RPC_URLS ?? {}
  const { DEVNET: devnet } = config
  const chains = chainSet({
    networks: Object.keys(rpcUrls) as (keyof typeof rpcUrls)[],
    ...(config.SPLITTER_FACTORIES ? { splitterFactories: config.SPLITTER_FACTORIES } : {}),
    ...(config.SPLITTER_TREASURIES ? { splitterTreasuries: config.SPLITTER_TREASURIES } : {}),
    ...(config.SETTLEMENT_BATCHES ? { settlementBatches: config.SETTLEMENT_BATCHES } : {}),
    ...(config.CONFIRMATIONS ? { confirmations: config.CONFIRMATIONS } : {}),
    ...(devnet ? { devnet } : {}),
  })
  const local = devnet ? { [`eip155:${devnet.chainId}`]: [devnet.rpcUrl] } : {}
  const clients = chainClients({ chains, rpcUrls: { ...rpcUrls, ...local }, ...(watch ? { watch } : {}) })
  return { chains, clients }
}
