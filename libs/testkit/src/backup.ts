import pg from 'pg'

/** A copy of a database at one moment. */
export interface Backup {
  /** Replaces the database with the copy, like a restore: later commits are lost. */
  restore(): Promise<void>
}

/** Copies a database on its server. Its services must be stopped: remaining connections are cut. */
export async function backUp(databaseUrl: string): Promise<Backup> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const server = url.href
  const copy = `${name}_backup`
  await onServer(server, async (client) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await client.query(`create database ${copy} template ${name}`)
  })
  return {
    restore: () =>
      onServer(server, async (client) => {
        await client.query(`drop database ${name} with (force)`)
        await client.query(`create database ${name} template ${copy}`)
      }),
  }
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
