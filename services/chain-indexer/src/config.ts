import { Address, Network } from '@callboard/contract'
import { ChainConfig } from '@callboard/evm'
import { envInt, envJson } from '@callboard/runtime'
import { z } from 'zod'

const StartBlocks = envJson(z.record(Network, z.number().int().nonnegative()))

const BurnLedger = z.object({
  ledger: Address,
  token: Address,
  decimals: z.number().int().min(0).max(36).default(18),
})

export const Config = z.object({
  STAKE_CONTRACTS: envJson(z.record(Network, Address))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to stake contract. An owner’s stake gives Compute on the Router. The local chain has its own contract.',
    ),
  BURN_LEDGERS: envJson(z.record(Network, BurnLedger))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to `{ledger, token, decimals}`: the contract that logs burns, the token that it burns, and the token’s decimals (18 if absent). The local chain has its own ledger.',
    ),
  SUPPLY_TOKENS: envJson(z.record(Network, BurnLedger.pick({ token: true, decimals: true })))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to `{token, decimals}`: the token whose supply is reported, and its decimals (18 if absent). The chain must be read from a block before the token’s first mint. The local chain has its own token.',
    ),
  IDENTITY_REGISTRIES: envJson(z.record(Network, z.object({ identity: Address, reputation: Address }).nullable()))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to `{identity, reputation}`: the ERC-8004 registries to follow, or null for none. A chain without an entry uses the registries that ERC-8004 lists for it. The local chain has its own.',
    ),
  START_BLOCKS: StartBlocks.optional().describe(
    'A JSON object from CAIP-2 network to the first block to read, used when the chain is followed for the first time. A network without an entry starts at its newest block, and the local chain at block 0.',
  ),
  INDEXER_POLL_MS: envInt(20, 60_000)
    .default(250)
    .describe(
      'The shortest wait between two polls of a chain. Half of the chain’s block time applies if that is longer.',
    ),
  INDEXER_STANDBY_MS: envInt(20, 60_000)
    .default(1_000)
    .describe(
      'How long a replica that does not lead a chain pauses between two waits for the leader’s end. During a wait, Postgres reports that end at once.',
    ),
  RPC_TIMEOUT_MS: envInt(100, 120_000)
    .default(10_000)
    .describe('The longest wait for one answer from an RPC endpoint.'),
  RPC_BATCH_SIZE: envInt(1, 1_000)
    .default(50)
    .describe('The number of JSON-RPC calls in one HTTP request. Use 1 for endpoints that accept no batches.'),
  RPC_MAX_RESPONSE_BYTES: envInt(65_536, 268_435_456)
    .default(33_554_432)
    .describe('The largest answer from an RPC endpoint that is read, in bytes after decompression.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
