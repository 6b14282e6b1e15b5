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
      'JSON of CAIP-2 network to stake contract. The stake of an owner gives Compute on the Router; the local chain has its own.',
    ),
  BURN_LEDGERS: envJson(z.record(Network, BurnLedger))
    .optional()
    .describe(
      'JSON of CAIP-2 network to `{ledger, token, decimals}`: the contract that logs burns, the token that it burns and its decimals, 18 when absent. The local chain has its own.',
    ),
  SUPPLY_TOKENS: envJson(z.record(Network, BurnLedger.pick({ token: true, decimals: true })))
    .optional()
    .describe(
      'JSON of CAIP-2 network to `{token, decimals}`: the token whose supply is told, 18 decimals when absent. Its chain has to be read from before the first of it was minted. The local chain has its own.',
    ),
  IDENTITY_REGISTRIES: envJson(z.record(Network, z.object({ identity: Address, reputation: Address }).nullable()))
    .optional()
    .describe(
      'JSON of CAIP-2 network to `{identity, reputation}`: the ERC-8004 registries that are followed, null for none. A chain that is not named has those that ERC-8004 lists there; the local chain has its own.',
    ),
  START_BLOCKS: StartBlocks.optional().describe(
    'JSON of CAIP-2 network to the first block to read, used when the chain is followed for the first time. A network that is not named starts at its newest block, the local chain at block 0.',
  ),
  INDEXER_POLL_MS: envInt(20, 60_000)
    .default(250)
    .describe('The shortest wait between two looks at a chain; half of its block time where that is longer.'),
  INDEXER_STANDBY_MS: envInt(20, 60_000)
    .default(1_000)
    .describe(
      'How long a replica that does not lead a chain pauses between two waits for the end of its leader, of which Postgres tells at once.',
    ),
  RPC_TIMEOUT_MS: envInt(100, 120_000).default(10_000).describe('The longest wait for one answer of an RPC endpoint.'),
  RPC_BATCH_SIZE: envInt(1, 1_000)
    .default(50)
    .describe('JSON-RPC calls in one HTTP request; 1 for endpoints that take no batches.'),
  RPC_MAX_RESPONSE_BYTES: envInt(65_536, 268_435_456)
    .default(33_554_432)
    .describe('The longest answer of an RPC endpoint that is read, after decompression.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
