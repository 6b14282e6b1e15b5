import { sql } from 'kysely'
import type { Level } from './levels.ts'
import type { RouterDb } from './tables.ts'

/** A call that a limit refused; nothing of what it asked is in it. */
export interface RefusedCall {
  readonly keyId: string
  readonly at: Date
  readonly model: string
  readonly surface: string
  /** The level that refused. */
  readonly limit: Level
  /** What the call had to hold at least; nano-USD, as all below. */
  readonly asked: bigint
  readonly left: bigint
  /** Held by other calls at that level. */
  readonly inFlight: bigint
}

/** So many refusals of a key are kept, the latest: a key that is empty and asks on fills no table. */
const KEPT = 200

/** Notes a refusal, for those who ask for its reason later, and forgets the oldest beyond what is kept. */
export async function recordRefusal(db: RouterDb, refused: RefusedCall): Promise<void> {
  const { keyId, at, model, surface, limit, asked, left, inFlight } = refused
  await sql`
    with added as (
      insert into refusal (key_id, refused_at, model, surface, level, asked_nano, left_nano, in_flight_nano)
      values (${keyId}, ${at}, ${model}, ${surface}, ${limit}, ${asked}::bigint, ${left}::bigint, ${inFlight}::bigint)
    )
    delete from refusal where key_id = ${keyId} and id <= (
      select id from refusal where key_id = ${keyId} order by id desc offset ${KEPT - 1} limit 1)`.execute(db)
}

/** Refusals of a key within so long of a moment, the nearest first. */
export async function refusalsAbout(
  db: RouterDb,
  keyId: string,
  at: Date,
  withinMs: number,
): Promise<Omit<RefusedCall, 'keyId'>[]> {
  const [from, to] = [new Date(at.getTime() - withinMs), new Date(at.getTime() + withinMs)]
  const { rows } = await sql<Record<'asked' | 'left' | 'inFlight', string> & Omit<RefusedCall, 'keyId'>>`
    select refused_at as at, model, surface, level as limit, asked_nano::text as asked, left_nano::text as left,
           in_flight_nano::text as "inFlight"
    from refusal where key_id = ${keyId} and refused_at between ${from} and ${to}
    order by abs(extract(epoch from refused_at - ${at}::timestamptz)), id`.execute(db)
  return rows.map(({ asked, left, inFlight, ...row }) => ({
    ...row,
    ...{ asked: BigInt(asked), left: BigInt(left), inFlight: BigInt(inFlight) },
  }))
}
