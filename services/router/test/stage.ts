import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@callboard/embedded'
import { gateway } from '@callboard/gateway'
import type { ServiceModule } from '@callboard/runtime'
import { type Database, openDatabase } from '@callboard/store'
import { type FakeClock, fakeClock, startTestServices, type TestServices, testDatabase } from '@callboard/testkit'
import { temporaryFolder } from '@callboard/testkit/folder'
import type { Address } from '@callboard/values'
import { stringify } from 'yaml'
import { type SampleModels, startSampleModels } from '../../../demo/src/sample-models.ts'
import { router } from '../src/index.ts'
import { newSecret } from '../src/keys/credential.ts'
import { type Balance, findBalance } from '../src/store/balance.repository.ts'
import { insertKey, type RouterKey } from '../src/store/key.repository.ts'
import { ledgerFaults } from '../src/store/ledger.repository.ts'
import type { RouterDb, RouterTables } from '../src/store/tables.ts'
import { modelsFile, type SoldModel } from './models-file.ts'
import { bought, inTx, someOwner } from './router-store.ts'

export interface MadeKey {
  readonly owner: Address
  readonly id: string
  readonly secret: string
}

/** A call as it was settled; money in nano-USD. */
export interface SettledCall {
  readonly state: string
  readonly ending: string
  readonly upstream: string | null
  readonly estimated: boolean
  readonly cost: bigint
  readonly held: bigint
}

export interface Stage {
  /** The gateway, without a trailing slash. */
  readonly base: string
  /** The settings of a Router in its own process that joins this stage. */
  readonly settings: Readonly<Record<string, string>>
  readonly clock: FakeClock
  readonly db: RouterDb
  readonly services: TestServices
  readonly upstream: SampleModels
  /** A key; by default of a new owner and of a balance. */
  key(given?: Partial<Pick<RouterKey, 'owner' | 'linkId' | 'source'>>): Promise<MadeKey>
  /** A key of a new owner who bought a given amount; nano-USD. */
  fundedKey(nano: bigint): Promise<MadeKey>
  /** Calls the gateway with a key as bearer. */
  post(key: MadeKey, path: string, body: object, init?: RequestInit): Promise<Response>
  balance(owner: Address): Promise<Balance>
  calls(owner: Address): Promise<SettledCall[]>
  /** Every contradiction in the ledger, and every call that still holds money. */
  faults(): Promise<string[]>
  /** The total of a Router counter over all its labels. */
  counted(name: string): Promise<number>
  close(): Promise<void>
}

/** More than any test of one call spends; nano-USD. */
export const PLENTY = 10_000_000_000n

export interface StageOptions {
  readonly models: readonly SoldModel[]
  /** The base URL of the upstreams; the sample provider's if absent. */
  readonly upstreamUrl?: string
  /** How long they may be silent; a minute if absent. */
  readonly patienceMs?: number
  /** How long an answer that is not streamed may take; as long if absent. */
  readonly wholePatienceMs?: number
  /** When a second upstream is asked in parallel; never if absent. */
  readonly hedgeAfterMs?: number
  readonly env?: Record<string, string>
  /** The services that run here; the Router and its gateway if absent. */
  readonly modules?: readonly ServiceModule[]
}

/** The Router behind its gateway, on its own database, with the sample provider as its upstream. */
export async function openStage(
  postgresUrl: string,
  {
    models,
    upstreamUrl,
    patienceMs,
    wholePatienceMs,
    hedgeAfterMs,
    env = {},
    modules = [router, gateway],
  }: StageOptions,
): Promise<Stage> {
  const [database, upstream, port] = [await testDatabase(postgresUrl), await startSampleModels(), await freePort()]
  const folder = temporaryFolder('router-models-')
  const file = join(folder, 'models.yaml')
  writeFileSync(
    file,
    stringify(modelsFile(upstreamUrl ?? upstream.url, models, { patienceMs, wholePatienceMs, hedgeAfterMs })),
  )
  const base = `http://127.0.0.1:${port}`
  const clock = fakeClock()
  const settings = { DATABASE_URL: database.url, BASE_URL: base, ROUTER_MODELS: file }
  const services = await startTestServices(modules, {
    databaseUrl: database.url,
    clock,
    env: {
      ...settings,
      PORT: String(port),
      RATE_LIMITS: JSON.stringify({ model: { burst: 10_000, perMinute: 10_000 } }),
      ...env,
    },
  })
  const store: Database<RouterTables> = openDatabase({
    ...{ url: database.url, schema: 'router', maxConnections: 4, onError: () => {} },
  })
  const { db } = store
  const key: Stage['key'] = async (given = {}) => {
    const { secret, hash, prefix } = newSecret()
    const { owner = someOwner(), linkId = null, source = 'balance' } = given
    const id = randomUUID()
    const createdAt = new Date(clock.now())
    await inTx(db, (tx) => insertKey(tx, { id, hash, prefix, owner, linkId, source, label: 'test', createdAt }))
    return { owner, id, secret }
  }
  return {
    ...{ base, settings, clock, db, services, upstream, key },
    async fundedKey(nano) {
      const made = await key()
      await bought(db, made.owner, nano)
      return made
    },
    post: ({ secret }, path, body, init = {}) =>
      fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify(body),
        ...init,
      }),
    balance: async (owner) => (await findBalance(db, owner)) ?? { purchased: 0n, spent: 0n, held: 0n },
    calls: (owner) => callsOf(database.query, owner),
    async faults() {
      const held = await database.query<{ call_id: string }>(`select call_id from router.call where state = 'held'`)
      return [...(await ledgerFaults(db)), ...held.map(({ call_id: id }) => `call ${id} is still held`)]
    },
    async counted(name) {
      const metric = await services.metrics.registry.getSingleMetric(name)?.get()
      return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0)
    },
    async close() {
      await services.stop()
      await store.close()
      await upstream.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Query = Awaited<ReturnType<typeof testDatabase>>['query']

async function callsOf(query: Query, owner: Address): Promise<SettledCall[]> {
  const rows = await query<{ cost: string; held: string } & Omit<SettledCall, 'cost' | 'held'>>(
    `select state, ending, upstream, estimated, cost_nano::text as cost, amount_nano::text as held
     from router.call where owner = $1 order by created_at, call_id`,
    [owner],
  )
  return rows.map((row) => ({ ...row, cost: BigInt(row.cost ?? 0), held: BigInt(row.held) }))
}
