import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { modules } from '@callboard/all'
import { migrateServices, schemaOf } from '@callboard/runtime'
import { startTestServices, type TestDatabase, testDatabase } from '@callboard/testkit'
import { ROOT } from '@callboard/tools/generated-files'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { MIGRATE_ROLE, postgresRoles, ROLE_PREFIX } from '../src/postgres-roles.ts'

const FILE = join(ROOT, 'deploy/postgres/roles.sql')
const DENIED = '42501'
const services = modules.filter(({ migrations }) => migrations)
const roles = postgresRoles(services.map(({ name }) => name))
const hasPsql = Number(/ (\d+)/.exec(spawnSync('psql', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]) >= 15

let database: TestDatabase

/** The file as psql interprets it, with the role's name for its password. */
function statements(): string {
  const name = pg.escapeIdentifier(new URL(database.url).pathname.slice(1))
  const lines = readFileSync(FILE, 'utf8').split('\n')
  const sql = lines.filter((line) => !line.startsWith('\\')).join('\n')
  return sql.replaceAll(':"DBNAME"', name).replace(/:'(\w+)'/g, "'$1'")
}

const urlOf = (user: string): string => {
  const url = new URL(database.url)
  url.username = roles.find((one) => one.user === user)?.role ?? user
  return url.href
}

async function codes(user: string, texts: readonly string[]): Promise<(string | undefined)[]> {
  const client = new pg.Client({ connectionString: urlOf(user) })
  await client.connect()
  try {
    const said: (string | undefined)[] = []
    for (const text of texts) {
      said.push(
        await client.query(text).then(
          () => 'ok',
          (error: pg.DatabaseError) => error.code,
        ),
      )
    }
    return said
  } finally {
    await client.end()
  }
}

const tablesOf = async (service: string): Promise<string[]> =>
  (
    await database.query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
      schemaOf(service),
    ])
  ).map(({ name }) => `${schemaOf(service)}.${pg.escapeIdentifier(name)}`)

describe('deploy/postgres/roles.sql and the migration step', () => {
  beforeAll(async () => {
    database = await testDatabase(inject('postgresUrl'))
    await database.query(statements())
    await migrateServices(modules, {
      DATABASE_URL: urlOf('migrate'),
      DATABASE_ROLE_PREFIX: ROLE_PREFIX,
      LOG_LEVEL: 'silent',
    })
  }, 60_000)
  afterAll(async () => {
    for (const { role } of roles) await database.query(`drop owned by ${role} cascade; drop role ${role}`)
    await database.drop()
  })

  test.skipIf(!hasPsql)(
    'psql accepts the file, repeatedly, with passwords from its environment, and not without them',
    async () => {
      const passwords = Object.fromEntries(roles.map((one) => [one.passwordVariable, `it's ${one.user}`]))
      const psql = (env: NodeJS.ProcessEnv) => promisify(execFile)('psql', ['--file', FILE, database.url], { env })
      const { stdout } = await psql({ ...process.env, ...passwords })
      expect(stdout).toMatch(/COMMIT\n$/)
      await expect(psql({ ...process.env })).rejects.toThrow(/callboard_oauth/)
    },
  )

  test.each(services)(
    '$name reads no table of another schema, and changes nothing but rows in its own',
    async ({ name }) => {
      const others = (
        await Promise.all(services.filter((one) => one.name !== name).map((one) => tablesOf(one.name)))
      ).flat()
      const foreign = others.map((table) => `select from ${table} limit 1`)
      expect(new Set(await codes(name, foreign))).toEqual(new Set([DENIED]))
      const own = await tablesOf(name)
      const shapes = [
        `create table ${schemaOf(name)}.mine (n integer)`,
        `create schema mine_${schemaOf(name)}`,
        'create table public.mine (n integer)',
        'create temporary table mine (n integer)',
        ...own.flatMap((table) => [`alter table ${table} add column mine integer`, `drop table ${table}`]),
      ]
      expect(new Set(await codes(name, shapes))).toEqual(new Set([DENIED]))
      const readable = own.filter((table) => !table.endsWith('"kysely_migration_lock"'))
      expect(
        new Set(
          await codes(
            name,
            readable.map((table) => `select from ${table} limit 1`),
          ),
        ),
      ).toEqual(new Set(['ok']))
    },
  )

  test('the migration step’s role owns every schema, and is no superuser', async () => {
    const owners = await database.query<{ owner: string; mighty: boolean }>(
      `select distinct rolname as owner, rolsuper as mighty from pg_namespace join pg_roles on pg_roles.oid = nspowner
       where nspname = any($1)`,
      [services.map(({ name }) => schemaOf(name))],
    )
    expect(owners).toEqual([{ owner: MIGRATE_ROLE.role, mighty: false }])
  })

  test('a service that loses a right names it in /readyz, and is ready once the step has run again', async () => {
    const env = { MIGRATIONS: 'wait', LINK_SIGNING_KEY: 'k'.repeat(32) }
    const catalog = modules.filter(({ name }) => name === 'catalog')
    const running = await startTestServices(catalog, { databaseUrl: urlOf('catalog'), env })
    const readiness = async () => {
      const answer = await fetch(`http://127.0.0.1:${running.adminPort}/readyz`)
      return [answer.status, await answer.text()]
    }
    try {
      await database.query('revoke insert on catalog.inbox from callboard_catalog')
      expect(await readiness()).toEqual([503, 'postgres: role callboard_catalog lacks insert on catalog.inbox\n'])
      const step = { DATABASE_URL: urlOf('migrate'), DATABASE_ROLE_PREFIX: ROLE_PREFIX, LOG_LEVEL: 'silent' }
      await migrateServices(modules, step)
      expect(await readiness()).toEqual([200, 'ok\n'])
    } finally {
      await running.stop()
    }
  })
})
