import { setTimeout as wait } from 'node:timers/promises'
import { until } from '@callboard/testkit/until'
import { type MoneyWorld, rowsOf } from './world.ts'

/** No client is waiting any more: a hold unchanged for this long has no one left to be notified. */
const QUIET_MS = 1_500
const WITHIN_MS = 90_000

const heldCalls = async (world: MoneyWorld): Promise<string> => {
  const [row] = await rowsOf<{ held: string }>(
    world,
    `select count(*) || ' ' || coalesce(max(created_at)::text, '') as held from router.call where state = 'held'`,
  )
  return row?.held ?? ''
}

/**
 * Waits until nothing is in progress, and makes leftovers in the database older than any call or payment can be: then
 * the Router's own sweeps release them, as they would eleven minutes later. @returns how many holds were left
 */
export async function putToRest(world: MoneyWorld): Promise<number> {
  let before = ''
  await until(
    'no call is under way any more',
    async () => {
      const now = await heldCalls(world)
      const isQuiet = now === before
      before = now
      if (!isQuiet) await wait(QUIET_MS)
      return isQuiet
    },
    WITHIN_MS,
  )
  const left = await rowsOf(
    world,
    `update router.call set expires_at = now() - interval '1 second' where state = 'held' returning call_id`,
  )
  await rowsOf(
    world,
    `update router.top_up set created_at = created_at - interval '2 hours', due_at = now() where state = 'pending' returning payment_key`,
  )
  await until(
    'the sweeps have released what was left behind',
    async () => {
      const rows = await rowsOf(
        world,
        `select call_id from router.call where state = 'held'
         union all select payment_key from router.top_up where state = 'pending'`,
      )
      return rows.length === 0
    },
    WITHIN_MS,
  )
  return left.length
}
