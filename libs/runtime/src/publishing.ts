import { activeTraceparent } from '@callboard/bus'
import { eventName } from '@callboard/contract'
import { appendEvents, type EventTables } from '@callboard/store'
import type { Clock } from '@callboard/values'
import type { Transaction } from 'kysely'
import type { Kit } from './kit.ts'
import type { ServiceModule } from './service.ts'

/** The `publish` and `publishAll` of a service's kit: they refuse events that the service did not declare. */
export function publisher(module: ServiceModule, clock: Clock): Pick<Kit, 'publish' | 'publishAll'> {
  const declared = new Set(module.publishes.map(eventName))
  const publishAll: Kit['publishAll'] = async (tx, event, all) => {
    const name = eventName(event)
    if (!declared.has(name)) throw new Error(`${module.name} does not declare that it publishes ${name}`)
    const occurredAt = new Date(clock.now())
    const traceparent = activeTraceparent()
    const events = all.map((data) => {
      const key = String((data as Record<string, unknown>)[event.key])
      return { name, key, occurredAt, traceparent, data }
    })
    await appendEvents(tx as unknown as Transaction<EventTables>, events)
  }
  return { publishAll, publish: (tx, event, data) => publishAll(tx, event, [data]) }
}
