import { type Kysely, sql, type Transaction } from 'kysely'
import { ROW_RIGHTS, rightsOn, TABLES_WITH_LESS } from './table-rights.ts'

/** A service's schema and the role as which its processes sign in. */
export interface SchemaRole {
  readonly schema: string
  readonly role: string
}

/** Of two concurrent migration steps the second waits: concurrent grants on one object fail. */
const GRANTS_LOCK = 'callboard:grants'

/**
 * Lets each role work with the rows of its own schema and with nothing in other schemas: anything granted by hand
 * beyond that is revoked. Default privileges do the same for what later migrations create. All of it is one
 * transaction, so that a running service never lacks a right. Run by the owner of the schemas.
 * @throws Error naming the roles that are absent, or that have every right anyway
 */
export async function grantSchemas(db: Kysely<never>, all: readonly SchemaRole[]): Promise<void> {
  await requireFitRoles(db, all)
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${GRANTS_LOCK}, 0))`.execute(tx)
    for (const { schema, role } of all) {
      const others = all.filter((one) => one.role !== role).map((one) => one.role)
      for (const other of [...others, role]) await revokeAll(tx, { schema, role: other })
      await grant(tx, { schema, role })
    }
  })
}

async function revokeAll(tx: Transaction<never>, { schema, role }: SchemaRole): Promise<void> {
  const [inside, from] = [sql.id(schema), sql.id(role)]
  await sql`revoke all on schema ${inside} from ${from}`.execute(tx)
  await sql`revoke all on all tables in schema ${inside} from ${from}`.execute(tx)
  await sql`revoke all on all sequences in schema ${inside} from ${from}`.execute(tx)
}

async function grant(tx: Transaction<never>, { schema, role }: SchemaRole): Promise<void> {
  const [inside, to, rows] = [sql.id(schema), sql.id(role), sql.raw(ROW_RIGHTS.join(', '))]
  await sql`grant usage on schema ${inside} to ${to}`.execute(tx)
  await sql`grant ${rows} on all tables in schema ${inside} to ${to}`.execute(tx)
  await sql`grant usage on all sequences in schema ${inside} to ${to}`.execute(tx)
  await sql`grant execute on all functions in schema ${inside} to ${to}`.execute(tx)
  for (const name of await present(tx, schema, TABLES_WITH_LESS)) {
    const table = sql.id(schema, name)
    await sql`revoke all on ${table} from ${to}`.execute(tx)
    const rights = rightsOn(name)
    if (rights.length > 0) await sql`grant ${sql.raw(rights.join(', '))} on ${table} to ${to}`.execute(tx)
  }
  const later = sql`alter default privileges in schema ${inside} grant`
  await sql`${later} ${rows} on tables to ${to}`.execute(tx)
  await sql`${later} usage on sequences to ${to}`.execute(tx)
  await sql`${later} execute on functions to ${to}`.execute(tx)
}

async function present(tx: Transaction<never>, schema: string, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${schema} and tablename = any(${tables})`.execute(tx)
  return rows.map(({ name }) => name)
}

/** For a superuser, or a role that may act as the owner, grants would only appear to be a limit. */
async function requireFitRoles(db: Kysely<never>, all: readonly SchemaRole[]): Promise<void> {
  const roles = all.map(({ role }) => role)
  const { rows } = await sql<{ name: string; isAbsent: boolean }>`
    select name, role.oid is null as "isAbsent"
    from unnest(${roles}::text[]) as name left join pg_roles role on rolname = name
    where role.oid is null or rolsuper or pg_has_role(role.oid, current_user, 'member')
    order by name`.execute(db)
  const named = (isAbsent: boolean) => rows.filter((row) => row.isAbsent === isAbsent).map(({ name }) => name)
  const [absent, mighty] = [named(true), named(false)]
  if (absent.length > 0) {
    throw new Error(`Postgres has no role ${absent.join(', ')}: create them first, as deploy/postgres/roles.sql does.`)
  }
  if (mighty.length > 0) {
    throw new Error(
      `${mighty.join(', ')} may do everything that the owner of the schemas may: give each service a role of its own.`,
    )
  }
}
