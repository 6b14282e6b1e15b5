import { modules } from '@callboard/all'
import { eventName, eventSubject } from '@callboard/contract'
import { schemaOf } from '@callboard/runtime'
import { until } from '@callboard/testkit/until'
import type { Member } from '@callboard/tools/cluster'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { linesOf, type World } from '../world.ts'
import { type Fault, PATIENCE_MS, seconds } from './fault.ts'

const PUBLISHERS = modules.filter(({ publishes }) => publishes.length > 0).map(({ name }) => name)
const CONSUMED = modules.flatMap(({ name, consumes }) => consumes.map(({ event }) => ({ name, event })))

interface Row {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly sequence: number
  readonly occurred_at: Date
  readonly data: unknown
}

/** Publishes directly to the broker, past the outboxes. */
async function publishRaw(world: World, messages: readonly { subject: string; payload: Uint8Array }[]): Promise<void> {
  const connection = await connect({ servers: world.cluster.urls.natsUrl })
  const js = jetstream(connection)
  // Without a message id, so that the broker treats each as new.
  for (const { subject, payload } of messages) await js.publish(subject, payload)
  await connection.close()
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** The newest events of every service, as originally published. */
async function newest({ db }: World, count: number) {
  const all: { subject: string; envelope: Record<string, unknown> }[] = []
  for (const source of PUBLISHERS) {
    const { rows } = await db.query<Row>(
      `select id, name, key, sequence::int as sequence, occurred_at, data from ${schemaOf(source)}.outbox
       order by sequence desc limit $1`,
      [count],
    )
    for (const { occurred_at, ...row } of rows) {
      all.push({ subject: `evt.${row.name}`, envelope: { ...row, source, occurredAt: occurred_at.toISOString() } })
    }
  }
  return all
}

const repeated: Fault[] = [
  {
    name: 'duplicate events',
    how: 'the newest 200 events of every service are published again, bypassing the broker’s own deduplication',
    mustHold: 'each event has its effect once',
    async inject(world) {
      const events = await newest(world, 200)
      await publishRaw(
        world,
        events.map(({ subject, envelope }) => ({ subject, payload: encode(envelope) })),
      )
    },
  },
  {
    name: 'reordered events',
    how: 'the newest 200 events of every service are published again under new ids, in random order',
    mustHold: 'an older state never overwrites a newer one',
    async inject(world) {
      const events = world.random.shuffled(await newest(world, 200))
      const renamed = events.map(({ subject, envelope }, at) => ({
        subject,
        payload: encode({ ...envelope, id: `again-${Date.now()}-${at}` }),
      }))
      await publishRaw(world, renamed)
    },
  },
]

const poison: Fault = {
  name: 'poison events',
  how: 'text that is not JSON, and an envelope with data of another shape, are published on every subject that has a consumer',
  mustHold: 'each is stored as a dead letter of its consumer, and the events behind it are handled',
  async inject(world) {
    const garbage = [...new Set(CONSUMED.map(({ event }) => event))].flatMap((event, at) => [
      { subject: eventSubject(event), payload: new TextEncoder().encode(`{not json ${at}`) },
      {
        subject: eventSubject(event),
        payload: encode({
          ...{ id: `poison-${Date.now()}-${at}`, name: eventName(event), key: 'k', sequence: 1, source: 'nobody' },
          ...{ occurredAt: new Date().toISOString(), data: { nothing: 'fits' } },
        }),
      },
    ])
    await publishRaw(world, garbage)
    const schemas = [...new Set(CONSUMED.map(({ name }) => schemaOf(name)))]
    const dead = async (schema: string) => {
      const { rows } = await world.db.query<{ count: number }>(
        `select count(*)::int as count from ${schema}.dead_letter`,
      )
      return rows[0]?.count ?? 0
    }
    await until(
      'every consumer has dead-lettered all of its poison',
      async () => {
        const counts = await Promise.all(schemas.map(dead))
        return counts.reduce((sum, count) => sum + count, 0) === 2 * CONSUMED.length
      },
      PATIENCE_MS,
    )
    for (const schema of schemas) await world.db.query(`delete from ${schema}.dead_letter`)
  },
}

/** Whether an event of any service is committed and not published. */
async function isWaiting({ db }: World): Promise<boolean> {
  for (const source of PUBLISHERS) {
    const { rowCount } = await db.query(`select from ${schemaOf(source)}.outbox where published_at is null limit 1`)
    if (rowCount === 1) return true
  }
  return false
}

const crashes: Fault[] = [
  {
    name: 'crash between commit and publish',
    how: 'the connection to NATS stalls so that commits cannot be published, then SIGKILL to every publisher',
    mustHold: 'committed events are published after the start',
    async inject(world) {
      const [{ cluster }, { nats }] = [world, linesOf(world)]
      nats.stall()
      await seconds(3)
      // Without one there is nothing that the crash could lose.
      await until('a committed event waits to be published', () => isWaiting(world), PATIENCE_MS)
      const members = PUBLISHERS.flatMap((target) => cluster.of(target))
      await Promise.all(members.map((member) => member.end('SIGKILL')))
      nats.heal()
      await Promise.all(members.map((member) => member.start()))
    },
  },
  {
    name: 'crash between publish and mark',
    how: 'Postgres is slowed so that marking events as published is delayed, then SIGKILL to every publisher',
    mustHold: 'events that were published but not marked are published again and have no second effect',
    async inject(world) {
      const [{ cluster }, { postgres }] = [world, linesOf(world)]
      postgres.delayMs = 150
      await seconds(3)
      const members = PUBLISHERS.flatMap((target) => cluster.of(target))
      await Promise.all(members.map((member) => member.end('SIGKILL')))
      postgres.heal()
      await Promise.all(members.map((member) => member.start()))
    },
  },
]

/** Whether a replica of the indexer follows the chain, as it reports itself. */
async function isLeading({ adminUrl }: Member): Promise<boolean> {
  const answer = await fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(2_000) })
  return /^callboard_indexer_leader\{.*\} 1$/m.test(await answer.text())
}

const leaders: Fault = {
  name: 'two leaders',
  how: 'the leading indexer is paused and loses its lock, a second one leads, and the first wakes and continues to write',
  mustHold: 'the fencing token stops the old leader; another one leads within seconds',
  async inject({ cluster, db }) {
    const indexers = cluster.of('chain-indexer')
    let first: Member | undefined
    await until('an indexer leads', async () => {
      const leading = await Promise.all(indexers.map(isLeading))
      first = indexers[leading.indexOf(true)]
      return first !== undefined
    })
    const second = indexers.find((indexer) => indexer !== first)
    if (!first || !second) throw new Error('There are no two indexers')
    const { rows } = await db.query<{ pid: number }>(
      `select distinct l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.locktype = 'advisory' and split_part(a.application_name, ' ', 1) = 'callboard-chain_indexer'`,
    )
    for (const indexer of indexers) indexer.signal('SIGSTOP')
    for (const { pid } of rows) await db.query('select pg_terminate_backend($1)', [pid])
    second.signal('SIGCONT')
    // Until the first wakes it takes itself for the leader.
    await until('the second one leads', () => isLeading(second), PATIENCE_MS)
    first.signal('SIGCONT')
    await seconds(2)
  },
}

export const events: readonly Fault[] = [...repeated, poison, ...crashes, leaders]
