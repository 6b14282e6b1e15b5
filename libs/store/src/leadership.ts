import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { lockWithin } from './session-lock.ts'

/** A term of leadership. Writes made under it carry its token; an older token is refused, even if it arrives late. */
export interface Term {
  readonly name: string
  readonly token: number
  /** Aborts when the term ends: the connection that held the lock is gone, or `resign` was called. */
  readonly signal: AbortSignal
  resign(): Promise<void>
}

const LOCK_SPACE = 0x63616c6c // "call"

/**
 * Tries to become the one leader of a name within the sessions' schema: a session's advisory lock decides who leads, a
 * counter in the `leadership` table (see leadershipTable) gives the term a token that only rises.
 * @param standby how long to wait for the leader's end, which Postgres reports at once, and what ends the wait
 * @returns undefined while another session leads
 */
export async function tryLead(
  sessions: pg.Pool,
  name: string,
  standby: { readonly ms: number; readonly signal?: AbortSignal } = { ms: 0 },
): Promise<Term | undefined> {
  const client = await sessions.connect()
  const ended = new AbortController()
  const drop = (error?: Error) => {
    if (ended.signal.aborted) return
    ended.abort(error ?? new Error(`The term of ${name} is over`))
    client.release(error ?? true)
  }
  const lose = () => drop(new Error('The connection that held the lock is gone'))
  client.on('error', drop)
  client.once('end', lose)
  try {
    const key = `${LOCK_SPACE}, ${lockOf(pg.escapeLiteral(name))}`
    const locked = lockWithin(client, key, standby.ms)
    if (!(await until(locked, standby.signal))) {
      client.removeListener('error', drop)
      client.removeListener('end', lose)
      client.release()
      return undefined
    }
    const counted = await client.query<{ token: number }>(
      `insert into leadership (name, token) values ($1, 1)
       on conflict (name) do update set token = leadership.token + 1 returning token`,
      [name],
    )
    const token = Number(counted.rows[0]?.token)
    return { name, token, signal: ended.signal, resign: async () => drop() }
  } catch (error) {
    if (standby.signal?.aborted) leaveQueue(sessions, client)
    drop(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** The second key of a name's lock, as SQL. @param name as SQL */
const lockOf = (name: string): string => `hashtext(current_schema() || ':' || ${name})`

/**
 * Returns those of the given names for which a session is now waiting.
 * @param names that this process leads
 */
export async function awaitedNames(sessions: pg.Pool, names: readonly string[]): Promise<string[]> {
  const { rows } = await sessions.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where exists (
       select from pg_locks
       where locktype = 'advisory' and not granted and classid = ${LOCK_SPACE}::oid
         and objid = (${lockOf('name')}::bigint & 4294967295)::oid
         and database = (select oid from pg_database where datname = current_database()))`,
    [names],
  )
  return rows.map(({ name }) => name)
}

/** A session waiting for a lock does not notice that its connection ends; it would stay queued until its timeout. */
function leaveQueue(sessions: pg.Pool, client: pg.PoolClient): void {
  const { processID } = client as pg.PoolClient & { readonly processID: number | null }
  sessions.query('select pg_cancel_backend($1)', [processID]).catch(() => {})
}

/** Rejects on abort; that wait ends with its connection, so the lock is not taken later. @throws the signal's reason */
async function until<Result>(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return result
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  result.catch(() => {})
  return Promise.race([result, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** The table behind the fencing tokens; a service that elects leaders adds it to its migrations. */
export const leadershipTable = {
  async up(db: Kysely<unknown>) {
    await sql`create table leadership (name text primary key, token bigint not null)`.execute(db)
  },
}

export class StaleTerm extends Error {
  override readonly name = 'StaleTerm'
}

/**
 * Verifies, inside a write's transaction, that the term is still the newest; a newer leader waits for this commit.
 * @throws StaleTerm when another leader has taken over
 */
export async function assertLeading(tx: Transaction<never>, term: Pick<Term, 'name' | 'token'>): Promise<void> {
  const { rows } = await sql<{ token: number }>`
    select token from leadership where name = ${term.name} for share`.execute(tx)
  if (rows[0]?.token !== term.token) throw new StaleTerm(`Term ${term.token} of ${term.name} is over`)
}
