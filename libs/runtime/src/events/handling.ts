import { type EventEnvelope, eventName } from '@callboard/contract'
import { claimEvent, claimEvents, pipelined } from '@callboard/store'
import type { Kysely, Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { failpoints } from '../failpoints.ts'
import type { Batch, Consumption } from '../service.ts'

/** The stages of a batch of events: its effects are written, its transaction is committed. */
const batchFailpoints = failpoints('runtime', ['batch written', 'batch committed'])

/**
 * Handles events in one transaction: their claims in the inbox and all effects commit together.
 * @returns those not handled before
 */
export async function handleBatch(
  batch: Batch,
  ctx: ServiceContext,
  events: readonly EventEnvelope[],
): Promise<readonly EventEnvelope[]> {
  const db = ctx.db as unknown as Kysely<never>
  const handled = await pipelined(db, async (tx: Transaction<never>) => {
    const claims = events.map(({ name, id }) => ({ consumer: name, eventId: id }))
    const claimed = new Set((await claimEvents(tx, claims)).map(({ consumer, eventId }) => `${consumer} ${eventId}`))
    // Of two copies of one event only the first is handled.
    const fresh = events.filter(({ name, id }) => claimed.delete(`${name} ${id}`))
    if (fresh.length > 0) await batch.consume(fresh, { ...ctx, tx } as never)
    batchFailpoints.hit('batch written', fresh.length)
    return fresh
  })
  batchFailpoints.hit('batch committed', handled.length)
  return handled
}

/**
 * Handles one event in one transaction: the claim in the inbox and all effects commit together, so a repeat does
 * nothing and a crash leaves nothing.
 * @returns false when the event was handled before
 */
export async function handleOnce(
  consumption: Consumption,
  ctx: ServiceContext,
  envelope: EventEnvelope,
): Promise<boolean> {
  if (consumption.batch) return (await handleBatch(consumption.batch, ctx, [envelope])).length === 1
  const { event, consume } = consumption
  const db = ctx.db as unknown as Kysely<never>
  return db.transaction().execute(async (tx: Transaction<never>) => {
    if (!(await claimEvent(tx, eventName(event), envelope.id))) return false
    await consume(envelope.data as never, { ...ctx, tx, envelope } as never)
    return true
  })
}
