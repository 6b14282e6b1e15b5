import { readFileSync } from 'node:fs'
import { DAY_MS } from '@callboard/values'
import type pg from 'pg'
import { NOW } from './listings.ts'

const TICKS_PER_SECOND = 100
const ORDER = 'group_rank, distrust, staleness, id'

/** Configures a connection as for a search role. */
export async function tune(client: pg.Client): Promise<void> {
  for (const setting of [
    'plan_cache_mode = force_custom_plan',
    'max_parallel_workers_per_gather = 0',
    'jit = off',
    'work_mem = "32MB"',
    'random_page_cost = 1.1',
  ]) {
    await client.query(`set ${setting}`)
  }
}

/** A position in the peer's order: the columns of the order with the tier after the group. */
export type Place = readonly [groupRank: number, tier: number, distrust: number, staleness: number, id: number]

interface Row {
  group_rank: number
  tier: number
  distrust: number
  staleness: number
  id: number
}

/** The page of a query after a position: title hits before other hits in each group, each in btree order. */
export async function peerPage(client: pg.Client, q: string, limit: number, after?: Place): Promise<Row[]> {
  const visible = `(verified or group_rank = 0 or (group_rank = 3 and ok_at >= $2))`
  const branch = (tier: number, hits: string) => `(
    select group_rank, ${tier} as tier, distrust, staleness, id, title, summary from peer
    where ${hits} and ${visible} and ${after ? follows(after, tier) : 'true'} order by ${ORDER} limit $3)`
  const { rows } = await client.query<Row>(
    `select * from (${branch(1, 'title_words @@ $1::tsquery')} union all
                    ${branch(2, 'words @@ $1::tsquery and not title_words @@ $1::tsquery')}) found
     order by group_rank, tier, distrust, staleness, id limit $3`,
    [tsquery(q), new Date(NOW - DAY_MS), limit],
  )
  return rows
}

function follows([groupRank, tier, distrust, staleness, id]: Place, ofTier: number): string {
  if (ofTier !== tier) return `group_rank ${ofTier < tier ? '>' : '>='} ${groupRank}`
  return `(${ORDER}) > (${groupRank}, ${distrust}, ${staleness}, ${id})`
}

/** All words, the last one as a prefix, like our own queries. */
const tsquery = (q: string): string => `${q.split(' ').join(' & ')}:*`

/** The CPU time of a server process so far. Linux only. */
export function backendCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
}
