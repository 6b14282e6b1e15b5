import type { Bus } from '@callboard/bus'
import type { Database, EventTables } from '@callboard/store'

/** Why the process should get no traffic now, in words; empty when it should. */
export async function whyNotReady(bus: Bus, databases: ReadonlyMap<string, Database<EventTables>>): Promise<string[]> {
  const reasons = bus.connected ? [] : ['the bus is away']
  const [first] = databases.values()
  await first?.pool.query('select 1').catch((error: Error) => reasons.push(`postgres: ${error.message}`))
  return reasons
}
