import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { canMount } from '../disk.ts'
import { linesOf } from '../world.ts'
import { type Fault, seconds } from './fault.ts'

/** Removes what is in a folder, which may be a mount, and leaves the folder. */
export function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
}

const nats: Fault[] = [
  {
    name: 'NATS killed',
    how: 'SIGKILL to nats-server, started again on its store',
    mustHold: 'all reconnect by themselves; what was acknowledged and comes again has no second effect',
    async inject({ cluster }) {
      await cluster.nats.kill()
      await cluster.nats.again()
    },
  },
  {
    name: 'NATS down for 60 s',
    how: 'nats-server down for a minute',
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
    how: 'SIGKILL, its folder removed, started again empty',
    mustHold: 'stream and consumers are made again, and what the lost stream held is published again',
    async inject({ cluster }) {
      await cluster.nats.kill()
      empty(join(cluster.folder, 'nats'))
      await cluster.nats.again()
    },
  },
]

/** As many connections as the server takes beside those that stand. */
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
    how: 'SIGINT, the fast shutdown, and a start',
    mustHold: 'no process ends; a write without an answer is asked again and has one effect',
    async inject({ cluster }) {
      await cluster.postgres.stop()
      await cluster.postgres.again()
    },
  },
  {
    name: 'Postgres kill -9',
    how: 'SIGKILL to the postmaster, and a start',
    mustHold: 'every acknowledged row is there',
    async inject({ cluster }) {
      await cluster.postgres.kill()
      await cluster.postgres.again()
    },
  },
  {
    name: 'Postgres slow by 500 ms',
    how: 'a quarter of a second on the line in each direction, for ten seconds',
    mustHold: 'queues stay bounded, answers come late or as 503',
    async inject(world) {
      const { postgres } = linesOf(world)
      postgres.delayMs = 250
      await seconds(10)
      postgres.heal()
    },
  },
  {
    name: 'pool exhausted',
    how: 'a third party takes every connection that the server has left, while a replica of each service starts',
    mustHold: 'those that have connections go on, the others start once there are some',
    async inject({ cluster, db }) {
      const taken = await takeAllConnections(cluster.urls.databaseUrl)
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
    how: 'an exclusive lock on the payments, held by a client that fell silent on a cut line',
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
    how: 'FLUSHALL: a restart of Redis without its data',
    mustHold: 'no session ends and no nonce is good twice; sign-ins under way begin again',
    async inject({ cluster }) {
      await cluster.redis.kill()
      empty(join(cluster.folder, 'redis'))
      await cluster.redis.again()
    },
  },
  {
    name: 'Redis down',
    how: 'Redis down for ten seconds',
    mustHold: 'reads and payments go on, sign-ins answer 503',
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
    how: 'the disk of its store filled for ten seconds',
    mustHold: 'events wait in the outboxes and go out once there is room',
    impossible: () => (canMount ? undefined : 'only root on Linux can mount a disk'),
    async inject({ cluster, disks }) {
      disks?.nats.fill()
      await seconds(10)
      disks?.nats.free()
      // A server that turned JetStream off for want of room turns it on at its next start.
      await cluster.nats.stop()
      await cluster.nats.again()
    },
  },
  {
    name: 'disk of Postgres full',
    how: 'the disk of its data filled for ten seconds; it is started again where it gave up',
    mustHold: 'writes end with 503 or 500, nothing acknowledged is lost, and the files are sound',
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
