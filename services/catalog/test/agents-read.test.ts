import type { Database } from '@callboard/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentPage, insertAgent } from '../src/store/identity/agent.repository.ts'
import type { CatalogTables } from '../src/store/tables.ts'
import { startCatalog, type TestCatalog } from './support/catalog.ts'
import { address, BASE } from './support/facts.ts'
import { rowsRead } from './support/rows-read.ts'
import { openStore } from './support/store.ts'

const [OWNER, REGISTRY, LIMIT] = [address(7), address(8004), 21]

let catalog: TestCatalog
let store: Database<CatalogTables>
beforeAll(async () => {
  catalog = await startCatalog()
  // The newest half belongs to one owner, who is also the wallet of all but the last two of them.
  await catalog.database.query(`
    insert into catalog.agent (network, registry, agent_id, owner, wallet)
    select '${BASE}', '${REGISTRY}', n, case when n > 10000 then '${OWNER}' else '0x' || lpad(to_hex(n + 5000), 40, '0') end,
           case when n = 1 or n > 10000 and n < 19999 then '${OWNER}' end
    from generate_series(1, 20000) n`)
  // One agent whose owner changed its URI again and again.
  await catalog.database.query(`
    insert into catalog.agent_change (network, tx_hash, log_index, block_number, observed_at, registry, agent_id, reverted,
                                      sequence, change, address, uri, uri_cut)
    select '${BASE}', '0x' || lpad(to_hex(n), 64, '0'), 0, n, now(), '${REGISTRY}', 30000, false, n,
           case when n = 1 then 'registered' else 'uri_set' end, case when n = 1 then '${OWNER}' end, 'https://a.example/' || n,
           false
    from generate_series(1, 20000) n`)
  await catalog.database.query('vacuum analyze catalog.agent, catalog.agent_change')
  store = openStore(catalog)
})
afterAll(async () => {
  await store?.close()
  await catalog?.stop()
})

const place = (agentId: number) => ({ network: BASE, registry: REGISTRY, agentId: String(agentId) })
const pageAfter = async (agentId: number) =>
  (await agentPage(store.db, OWNER, LIMIT, place(agentId))).map((agent) => Number(agent.agentId))

test('a page of the agents of a wallet with very many reads few of them', async () => {
  for (const after of [undefined, place(15_000), place(19_990)])
    expect(await rowsRead(store.db, 'agent', (db) => agentPage(db, OWNER, LIMIT, after))).toBeLessThanOrEqual(2 * LIMIT)
})

test('an agent that a wallet owns and that names it is on its pages once, in the order of ids', async () => {
  expect(await pageAfter(0)).toEqual([1, ...Array.from({ length: LIMIT - 1 }, (_, at) => 10_001 + at)])
  expect(await pageAfter(15_000)).toEqual(Array.from({ length: LIMIT }, (_, at) => 15_001 + at))
  expect(await pageAfter(19_990)).toEqual(Array.from({ length: 10 }, (_, at) => 19_991 + at))
})

test('a change of an agent reads few of its earlier ones, however many its owner made', async () => {
  const agent = { network: BASE, registry: REGISTRY, agentId: '30000' } as const
  expect(await rowsRead(store.db, 'agent_change', (db) => insertAgent(db, agent))).toBeLessThanOrEqual(20)
  expect(await catalog.database.query(`select owner, uri from catalog.agent where agent_id = 30000`)).toEqual([
    { owner: OWNER, uri: 'https://a.example/20000' },
  ])
})
