import { type Kysely, sql } from 'kysely'
import { type Migrations, migrationNames } from '../migrate.ts'
import { rightsOn } from './table-rights.ts'

/** A schema with the migrations that its service knows. */
export interface OwnSchema {
  readonly schema: string
  readonly migrations: Migrations
}

interface ForeignSchema {
  readonly schema: string
  readonly role: string
  readonly usable: boolean
}

/**
 * What this connection's role may not do but its services do, in words. An owner of the schemas lacks nothing. A schema
 * migrated further by a newer version is left to that version, which knows what its tables are for.
 * @param schemas one that is absent lacks no right: it waits for the migration step
 */
export async function lackingRights(db: Kysely<never>, schemas: readonly OwnSchema[]): Promise<string[]> {
  const names = schemas.map(({ schema }) => schema)
  const { rows } = await sql<ForeignSchema>`
    select nspname as schema, current_user as role, has_schema_privilege(oid, 'usage') as usable
    from pg_namespace
    where nspname = any(${names}) and not pg_has_role(current_user, nspowner, 'usage')
    order by nspname`.execute(db)
  const lacks: string[] = []
  for (const foreign of rows) {
    const own = schemas.find(({ schema }) => schema === foreign.schema)
    if (!foreign.usable) lacks.push(`role ${foreign.role} lacks usage on schema ${foreign.schema}`)
    else if (own) lacks.push(...(await lackingInside(db, foreign, own.migrations)))
  }
  return lacks
}

interface Lack {
  readonly name: string
  readonly rights: readonly string[]
}

async function lackingInside(
  db: Kysely<never>,
  { schema, role }: ForeignSchema,
  migrations: Migrations,
): Promise<string[]> {
  const lacks = [...(await lackingOnTables(db, schema)), ...(await lackingElsewhere(db, schema))]
  const mayRead = !lacks.some(({ name, rights }) => name === 'kysely_migration' && rights.includes('select'))
  if (lacks.length > 0 && mayRead && (await isFurther(db, schema, migrations))) return []
  return lacks.map(({ name, rights }) => `role ${role} lacks ${rights.join(', ')} on ${schema}.${name}`)
}

async function lackingOnTables(db: Kysely<never>, schema: string): Promise<Lack[]> {
  const { rows } = await sql<{ name: string; held: string[] }>`
    select relname as name, array(
      select held from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as held
      where has_table_privilege(pg_class.oid, held)) as held
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and relkind in ('r', 'p')
    order by relname`.execute(db)
  return rows
    .map(({ name, held }) => ({ name, rights: rightsOn(name).filter((right) => !held.includes(right)) }))
    .filter(({ rights }) => rights.length > 0)
}

/** The same for sequences and functions. */
async function lackingElsewhere(db: Kysely<never>, schema: string): Promise<Lack[]> {
  const { rows } = await sql<Lack>`
    select relname as name, array['usage'] as rights
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and case relkind when 'S' then not has_sequence_privilege(pg_class.oid, 'usage') else false end
    union all
    select proname || '()', array['execute']
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = ${schema} and not has_function_privilege(pg_proc.oid, 'execute')`.execute(db)
  return rows
}

/** Whether a newer version has migrated the schema. */
async function isFurther(db: Kysely<never>, schema: string, migrations: Migrations): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(schema, 'kysely_migration')}`.execute(db)
  const known = new Set(migrationNames(migrations))
  return rows.some(({ name }) => !known.has(name))
}
