import type { DataOf, settlementAttributed, settlementObserved, settlementReverted } from '@callboard/contract'
import { startTestServices, type TestDatabase, type TestServices } from '@callboard/testkit'
import { evmNetwork } from '@callboard/values'
import { chainIndexer } from '../src/index.ts'
import type { TestChain } from './chain.ts'

export interface IndexerOptions {
  /** Endpoints, the preferred one first; the node itself when absent. */
  readonly urls?: readonly string[]
  readonly from?: number
  readonly finality?: 'instant' | 'tags'
  readonly finalityDepth?: number
  /** Members of `DEVNET` in addition to those of a chain. */
  readonly devnet?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

/** A running chain-indexer on a test chain, with intervals short enough for a test. */
export function startIndexer(
  database: TestDatabase,
  chain: TestChain,
  options: IndexerOptions = {},
): Promise<TestServices> {
  const { rpcUrl, chainId, usdc, splitterFactory } = chain.devnet
  const [first = rpcUrl, ...others] = options.urls ?? []
  const { finality = 'instant', finalityDepth } = options
  const devnet = { rpcUrl: first, chainId, usdc: usdc.address, splitterFactory, blockTimeMs: 100, finality }
  return startTestServices([chainIndexer], {
    databaseUrl: database.url,
    env: {
      DEVNET: JSON.stringify({
        ...devnet,
        ...options.devnet,
        ...(finalityDepth === undefined ? {} : { finalityDepth }),
      }),
      INDEXER_POLL_MS: '25',
      INDEXER_STANDBY_MS: '50',
      ...(options.from === undefined ? {} : { START_BLOCKS: JSON.stringify({ [evmNetwork(chainId)]: options.from }) }),
      ...(others.length > 0 ? { RPC_URLS: JSON.stringify({ [evmNetwork(chainId)]: others }) } : {}),
      ...options.env,
    },
  })
}

type Observed = DataOf<typeof settlementObserved>
type Reverted = DataOf<typeof settlementReverted>
type Attributed = DataOf<typeof settlementAttributed>

export interface Published {
  readonly observed: readonly Observed[]
  readonly reverted: readonly Reverted[]
  readonly attributed: readonly Attributed[]
}

/** Every event ever written, in order. */
export async function published(database: TestDatabase): Promise<Published> {
  const rows = await database.query<{ name: string; data: unknown }>(
    'select name, data from chain_indexer.outbox order by sequence',
  )
  const named = (name: string) => rows.filter((row) => row.name === name).map((row) => row.data)
  return {
    observed: named('settlement.observed.v1') as Observed[],
    reverted: named('settlement.reverted.v1') as Reverted[],
    attributed: named('settlement.attributed.v1') as Attributed[],
  }
}

/** What a consumer of the events believes in the end; throws where an event contradicts earlier ones. */
export async function believed(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string; data: Observed }>(
    `select name, data from chain_indexer.outbox where name in ('settlement.observed.v1', 'settlement.reverted.v1') order by sequence`,
  )
  const observed = new Map<string, string>()
  for (const { name, data } of rows) {
    const key = `${data.txHash}:${data.logIndex}`
    const isObserved = name === 'settlement.observed.v1'
    if (isObserved === observed.has(key)) throw new Error(`${name} of ${key} does not fit what was said before`)
    if (isObserved) observed.set(key, `${data.nonce} ${data.txHash} ${data.blockHash}`)
    else observed.delete(key)
  }
  return [...observed.values()].sort()
}

/** The rows of the table, in the form of `believed`. */
export async function recorded(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ row: string }>(
    `select nonce || ' ' || tx_hash || ' ' || block_hash as row from chain_indexer.settlement`,
  )
  return rows.map(({ row }) => row).sort()
}

export async function cursorOf(database: TestDatabase): Promise<number | undefined> {
  const [row] = await database.query<{ block_number: string }>('select block_number from chain_indexer.chain_cursor')
  return row && Number(row.block_number)
}

export async function metric(services: TestServices, name: string): Promise<number | undefined> {
  const { values } = (await services.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] }
  return values.length === 0 ? undefined : values.reduce((sum, { value }) => sum + value, 0)
}
