import { sql } from 'kysely'
import type { Level } from './levels.ts'
import type { RouterDb } from './tables.ts'

/** A call that a limit refused; it contains nothing of the request's content. */
export interface RefusedCall {
  readonly keyId: string
  readonly at: Date
  readonly model: string
  readonly surface: string
  /** The level that refused. */
  readonly limit: Level
  /** The least that the call had to hold; nano-USD, like everything below. */
  readonly asked: bigint
  readonly left: bigint
  /** Held by other calls at that level. */
  readonly inFlight: bigint
}

/** The most refusals kept per key, latest first: an empty key that keeps asking cannot fill the table. */
const KEPT = 200

/** Records a refusal, for later questions about its reason, and forgets the oldest beyond the limit. */
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

/** Refusals of a key within a period around a given time, nearest first. */
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
