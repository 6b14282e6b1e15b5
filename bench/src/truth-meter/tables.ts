import type pg from 'pg'
import { sellersOf, worldFacts } from './score.ts'
import type { World } from './world.ts'

const AT_ONCE = 10_000

/**
 * Writes the corpus as the events would: settlements of listings, who claims their payees, and the splitters’ wallets.
 * The settlements' indexes are built at the end, which takes a fraction of the time of maintaining them.
 */
export async function fillSettlements(client: pg.Client, world: World): Promise<void> {
  const { walletBehind } = worldFacts(world)
  const sellerAt = sellersOf(world)
  const network = 'eip155:8453'
  const claims = [...sellerAt].map(([address, slug]) => ({ address, slug }))
  await client.query(
    `insert into catalog.payee_claim (network, address, slug, since)
     select $1, address, slug, 'epoch' from json_to_recordset($2::json) as one (address text, slug text)`,
    [network, JSON.stringify(claims)],
  )
  const splitters = [...walletBehind].map(([address, wallet]) => ({ address, wallet }))
  await client.query(
    `insert into catalog.splitter (network, address, wallet, reverted, sequence)
     select $1, address, wallet, false, 1 from json_to_recordset($2::json) as one (address text, wallet text)`,
    [network, JSON.stringify(splitters)],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'catalog' and tablename = 'settlement' and indexname <> 'settlement_pkey'`,
  )
  for (const { name } of indexes) await client.query(`drop index catalog.${client.escapeIdentifier(name)}`)
  for (let from = 0; from < world.settlements.length; from += AT_ONCE) {
    const rows = world.settlements.slice(from, from + AT_ONCE).map((one, at) => ({
      ...{ tx_hash: `0x${(from + at).toString(16).padStart(64, '0')}`, block_number: from + at },
      ...{ observed_at: new Date(one.atMs), payer: one.payer, pay_to: one.payTo, facilitator: one.facilitator },
      ...{ amount_usd: one.amount / 1e6, slug: sellerAt.get(one.payTo) ?? one.payTo },
    }))
    await client.query(
      `insert into catalog.settlement (network, tx_hash, log_index, block_number, block_hash, observed_at, payer, pay_to,
         asset, amount_usd, slug, kind, reverted, sequence, facilitator)
       select $1, tx_hash, 1, block_number, tx_hash, observed_at, payer, pay_to, 'usdc', amount_usd, slug, 'call', false,
         block_number, facilitator
       from json_to_recordset($2::json) as one (tx_hash text, block_number bigint, observed_at timestamptz, payer text,
         pay_to text, facilitator text, amount_usd numeric, slug text)`,
      [network, JSON.stringify(rows)],
    )
  }
  for (const { definition } of indexes) await client.query(definition)
}

/** The pattern bits of every settlement in the tables, in the order of the corpus. */
export async function marksOf(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ patterns: number }>(
    'select patterns from catalog.settlement order by block_number',
  )
  return rows.map(({ patterns }) => patterns)
}
