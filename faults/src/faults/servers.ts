import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { canMount } from '../disk.ts'
import { linesOf } from '../world.ts'
import { type Fault, seconds } from './fault.ts'

/** Removes the contents of a folder, which may be a mount, but not the folder. */
export function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
}

const nats: Fault[] = [
  {
    name: 'NATS killed',
    how: 'SIGKILL to nats-server, which is started again on its store',
    mustHold:
      'all processes reconnect on their own; an acknowledged event that is delivered again has no second effect',
    async inject({ cluster }) {
      await cluster.nats.kill()
      await cluster.nats.again()
    },
  },
  {
    name: 'NATS down for 60 s',
    how: 'nats-server is down for one minute',
    mustHold: 'requests end with 503 or 504; /livez stays 200 and no process restarts',
    async inject({ cluster }) {
      await cluster.nats.kill()
      await seconds(30)
      const answers = await Promise.all(cluster.members.map(({ adminUrl }) => fetch(`${adminUrl}/livez`)))
      if (answers.some(({ status }) => status !== 200)) throw new Error('/livez is not 200 while NATS is unavailable')
      await seconds(30)
      await cluster.nats.again()
    },
  },
  {
    name: 'NATS’s store wiped',
    how: 'SIGKILL to nats-server, whose folder is emptied before it is started again',
    mustHold: 'stream and consumers are created again, and the events of the lost stream are published again',
    async inject({ cluster }) {
      await cluster.nats.kill()
      empty(join(cluster.folder, 'nats'))
      await cluster.nats.again()
    },
  },
]

/** Opens connections until the server accepts no more. */
async function takeAllConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch {
      return taken
    }
  }
}

const postgres: Fault[] = [
  {
    name: 'Postgres fast restart',
    how: 'SIGINT to the postmaster (fast shutdown), then a start',
    mustHold: 'no process ends; a write that got no answer is requested again and has one effect',
    async inject({ cluster }) {
      await cluster.postgres.stop()
      await cluster.postgres.again()
    },
  },
  {
    name: 'Postgres kill -9',
    how: 'SIGKILL to the postmaster, then a start',
    mustHold: 'every acknowledged row still exists',
    async inject({ cluster }) {
      await cluster.postgres.kill()
      await cluster.postgres.again()
    },
  },
  {
    name: 'Postgres slow by 500 ms',
    how: 'a delay of a quarter of a second in each direction of the connection, for ten seconds',
    mustHold: 'queues stay bounded; answers arrive late or are 503',
    async inject(world) {
      const { postgres } = linesOf(world)
      postgres.delayMs = 250
      await seconds(10)
      postgres.heal()
    },
  },
  {
    name: 'pool exhausted',
    how: 'a third party takes every connection that the server has left, while a replica of catalog is restarted',
    mustHold: 'processes that have connections keep working; the others start once connections are free',
    async inject({ cluster, db }) {
      const taken = await takeAllConnections(cluster.urls.databaseUrl)
      if (taken.length === 0) throw new Error('No connection was taken')
      const catalog = cluster.of('catalog')[0]
      await catalog?.end()
      const started = catalog?.start().catch(() => undefined)
      await seconds(5)
      await Promise.all(taken.map((client) => client.end()))
      await started
      if (catalog && !catalog.running) await catalog.start()
      await db.query('select 1')
    },
  },
  {
    name: 'lock kept by a dead client',
    how: 'a client that has gone silent holds an exclusive lock on the payment table',
    mustHold: 'settlements wait, within their deadlines, until the server frees the lock',
    async inject({ cluster }) {
      const client = new pg.Client({
        connectionString: cluster.urls.databaseUrl,
        idle_in_transaction_session_timeout: 5_000,
      })
      client.on('error', () => {})
      await client.connect()
      await client.query('begin')
      await client.query('lock table x402_facilitator.payment in access exclusive mode')
      await seconds(7)
      await client.end().catch(() => {})
    },
  },
]

const redis: Fault[] = [
  {
    name: 'Redis flushed',
    how: 'Redis is killed and started again without its data, which has the effect of FLUSHALL',
    mustHold: 'no session ends and no nonce is accepted twice; sign-ins in progress have to start again',
    async inject({ cluster }) {
      await cluster.redis.kill()
      empty(join(cluster.folder, 'redis'))
      await cluster.redis.again()
    },
  },
  {
    name: 'Redis down',
    how: 'Redis is down for ten seconds',
    mustHold: 'reads and payments keep working; sign-ins answer 503',
    async inject({ cluster }) {
      await cluster.redis.kill()
      await seconds(10)
      await cluster.redis.again()
    },
  },
]

const disks: Fault[] = [
  {
    name: 'disk of NATS full',
    how: 'the disk of the NATS store is full for ten seconds',
    mustHold: 'events wait in the outboxes and are published once there is room',
    impossible: () => (canMount ? undefined : 'only root on Linux can mount a disk'),
    async inject({ cluster, disks }) {
      disks?.nats.fill()
      await seconds(10)
      disks?.nats.free()
      // A server that turned JetStream off for lack of space turns it on at its next start.
      await cluster.nats.stop()
      await cluster.nats.again()
    },
  },
  {
    name: 'disk of Postgres full',
    how: 'the disk of the Postgres data is full for ten seconds; Postgres is started again if it ended',
    mustHold: 'writes end with 503 or 500, nothing acknowledged is lost, and the files stay intact',
    impossible: () => (canMount ? undefined : 'only root on Linux can mount a disk'),
    async inject({ cluster, disks }) {
      disks?.postgres.fill()
      await seconds(10)
      disks?.postgres.free()
      const gone = await Promise.race([cluster.postgres.server.exited.then(() => true), seconds(1)])
      if (gone) await cluster.postgres.again()
    },
  },
]

export const servers: readonly Fault[] = [...nats, ...postgres, ...redis, ...disks]
