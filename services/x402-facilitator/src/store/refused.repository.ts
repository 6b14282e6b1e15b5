import { sql } from 'kysely'
import { RECOVERED } from './grant.repository.ts'
import type { FacilitatorDb } from './tables.ts'

/** Rows per statement: a payment that is presented again never waits for them for long. */
const AT_ONCE = 1_000

/**
 * Deletes payments refused before a moment, for which nothing was ever signed, seen on a chain or bought, with what binds
 * them to a request: if presented again, such a payment is bound, claimed and verified with or without its rows. One that
 * is being presented, whose rows are locked, is left for the next time.
 * @returns whether there may be more of them
 */
export const deleteRefused = (db: FacilitatorDb, before: Date): Promise<boolean> => deleteThose(db, { before })

/** The most refused payments that are kept for one network: each of its addresses may have thousands refused a minute. */
export const MOST_OF_NETWORK = 10_000

/**
 * Deletes those of a network, refused before a moment, that are beyond its newest ten thousand.
 * @returns whether there may be more of them
 */
export async function deleteCrowded(db: FacilitatorDb, before: Date): Promise<boolean> {
  const { rows } = await sql<{ origin: string; oldest: Date }>`
    select origin, (
      select updated_at from payment newest where state = 'refused' and newest.origin = crowded.origin
       order by updated_at desc offset ${MOST_OF_NETWORK - 1} limit 1) as oldest
    from (select origin from payment where state = 'refused' and origin is not null
           group by origin having count(*) > ${MOST_OF_NETWORK}) crowded`.execute(db)
  let isMore = false
  for (const { origin, oldest } of rows)
    isMore = (await deleteThose(db, { before: oldest < before ? oldest : before, origin })) || isMore
  return isMore
}

interface Those {
  readonly before: Date
  /** The network that had them refused; every one if absent. */
  readonly origin?: string
}

async function deleteThose(db: FacilitatorDb, { before, origin }: Those): Promise<boolean> {
  const ofNetwork = origin === undefined ? sql`` : sql`and origin = ${origin}`
  const { numAffectedRows } = await sql`
    with old as materialized (
      select key from payment
       where state = 'refused' and updated_at < ${before} ${ofNetwork} and tx_hash is null and announced_tx is null
         and not exists (select from leg where payment_key = payment.key)
         and not exists (select from grant_binding where payment_key = payment.key and result is not null)
       limit ${AT_ONCE}),
    locked as materialized (
      select key from payment
       where key in (select key from old) and state = 'refused' and updated_at < ${before} for update skip locked),
    identifiers as materialized (
      select payment_key from purchase_identifier where payment_key in (select key from old) for update skip locked),
    bindings as materialized (
      select payment_key from grant_binding where payment_key in (select key from old) for update skip locked),
    free as materialized (
      select key from locked
       where (select count(*) from identifiers where payment_key = key)
               = (select count(*) from purchase_identifier where payment_key = key)
         and (select count(*) from bindings where payment_key = key)
               = (select count(*) from grant_binding where payment_key = key)),
    unnamed as (delete from purchase_identifier where payment_key in (select key from free)),
    unbound as (delete from grant_binding where payment_key in (select key from free))
    delete from payment where key in (select key from free)`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}

/**
 * Deletes what bound payments to requests before a moment, where the payment was given up since and bought nothing: if
 * presented again, it is bound and claimed as for the first time. A binding is locked before its payment is looked for,
 * as a request does it, so that none of a payment that is claimed meanwhile is lost. Locked ones are left for the next time.
 * @returns whether there may be more of them
 */
export const deleteGivenUp = (db: FacilitatorDb, before: Date): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ key: string }>`
      select payment_key as key from grant_binding
       where created_at < ${before} and result is null and operation <> ${RECOVERED}
         and not exists (select from payment where key = payment_key)
       limit ${AT_ONCE} for update skip locked`.execute(tx)
    const { numAffectedRows } = await sql`
      with given_up as materialized (
        select key from unnest(${rows.map(({ key }) => key)}::text[]) locked (key)
         where not exists (select from payment where payment.key = locked.key)),
      identifiers as materialized (
        select payment_key from purchase_identifier where payment_key in (select key from given_up)
          for update skip locked),
      free as materialized (
        select key from given_up
         where (select count(*) from identifiers where payment_key = key)
                 = (select count(*) from purchase_identifier where payment_key = key)),
      unnamed as (delete from purchase_identifier where payment_key in (select key from free))
      delete from grant_binding where payment_key in (select key from free)`.execute(tx)
    return Number(numAffectedRows ?? 0n) === AT_ONCE
  })
