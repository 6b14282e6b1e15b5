import { join } from 'node:path'
import { modules } from '@callboard/all'
import { migrateServices, schemaOf } from '@callboard/runtime'
import { until } from '@callboard/testkit/until'
import { copySchema, restoreSchema } from '../one-schema.ts'
import { backUp, begin, operate, type Past, restore, untilItWaits, withTables } from '../restore.ts'
import type { World } from '../world.ts'
import { type Fault, PATIENCE_MS, seconds } from './fault.ts'
import { empty } from './servers.ts'

/** The time that is lost. Losing an hour would be no different, only more of the same. */
const LOST_SECONDS = 20

const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`

/** Starts a process, which waits for the operator, has the operator reconcile, and starts the others. */
async function reconcile(world: World, members: ReturnType<typeof withTables>): Promise<void> {
  const [first, ...others] = members
  if (!first) throw new Error('There is no process to wait')
  // It becomes ready once the operator is done, however long that takes.
  const waiting = first.start().catch((error: Error) => world.log(error.message))
  await untilItWaits(world, first)
  await operate(world, 'reconcile')
  await waiting
  await Promise.all(others.map((member) => member.start()))
  await until('the one that waited serves', () => first.look(), PATIENCE_MS)
}

/** Resumes the load once no earlier request is in flight: payers repeat their payments until the answer is definite. */
async function goOn(world: World, paused: Promise<void>, past: Past): Promise<void> {
  await until('the gateways serve', () => world.cluster.of('gateway').every(({ ready }) => ready), PATIENCE_MS)
  await paused
  await begin(world, past)
}

const whole: Fault = {
  name: 'Postgres restored to an earlier moment',
  how: `its folder is replaced under load by a copy from ${LOST_SECONDS} s ago; the chain, NATS and Redis keep their present state`,
  mustHold:
    'every process notices and waits; after `operator reconcile` no earlier credential is valid, and every payment of the lost time is known',
  async inject(world) {
    const past = await backUp(world)
    await seconds(LOST_SECONDS)
    const restoring = restore(world)
    const paused = world.load.pause()
    await restoring
    const members = withTables(world)
    const restoredAt = performance.now()
    await until('every process has noticed', () => members.every(({ running }) => !running), PATIENCE_MS)
    world.log(`noticed by all after ${secondsSince(restoredAt)}`)
    await reconcile(world, members)
    await goOn(world, paused, past)
  },
}

/** @param ends whether the restore ends credentials */
const alone = (target: string, ends: boolean): Fault => ({
  name: `schema of ${target} restored alone`,
  how: `its rows from ${LOST_SECONDS} s ago are put back while its processes are stopped; all other schemas keep their present state`,
  mustHold:
    'its processes wait and no others do; after `operator reconcile` it knows again what it lost, from the chain and from events',
  async inject(world) {
    const { cluster, db, load } = world
    const schema = schemaOf(target)
    await copySchema(db, schema)
    await seconds(LOST_SECONDS)
    const members = cluster.of(target)
    await Promise.all(members.map((member) => member.end('SIGKILL')))
    const paused = ends ? load.pause() : undefined
    await restoreSchema(db, schema)
    await reconcile(world, members)
    // Only credentials belong to this schema alone: what other services acknowledged in that time stays.
    if (paused) await goOn(world, paused, { at: new Date(), recall: () => {} })
  },
})

const region: Fault = {
  name: 'a region gone',
  how: `every process and NATS, Redis and Postgres are killed at once; NATS and Redis start empty, Postgres starts with its folder from ${LOST_SECONDS} s ago, the migration step runs, and the chain is unchanged`,
  mustHold:
    'after `operator reconcile --restored-to` the same holds as for a restored Postgres; no sign-in that was in progress succeeds',
  async inject(world) {
    const { cluster } = world
    const past = await backUp(world)
    await seconds(LOST_SECONDS)
    const paused = world.load.pause()
    await Promise.all(cluster.members.map((member) => member.end('SIGKILL')))
    for (const name of ['nats', 'redis'] as const) {
      await cluster[name].kill()
      empty(join(cluster.folder, name))
      await cluster[name].again()
    }
    await restore(world)
    const { databaseUrl, natsUrl } = cluster.urls
    await migrateServices(modules, { ...cluster.env, DATABASE_URL: databaseUrl, NATS_URL: natsUrl })
    await operate(world, 'reconcile', '--restored-to', past.at.toISOString())
    await Promise.all(cluster.members.map((member) => member.start()))
    await goOn(world, paused, past)
  },
}

export const disasters: readonly Fault[] = [whole, alone('x402-facilitator', false), alone('oauth', true), region]
