import { activeTraceparent } from '@callboard/bus'
import { eventName } from '@callboard/contract'
import { appendEvent, type EventTables } from '@callboard/store'
import type { Clock } from '@callboard/values'
import type { Transaction } from 'kysely'
import type { Kit } from './kit.ts'
import type { ServiceModule } from './service.ts'

/** The `publish` of a service's kit: refuses events the service did not declare. */
export function publisher(module: ServiceModule, clock: Clock): Kit['publish'] {
  const declared = new Set(module.publishes.map(eventName))
  return async (tx, event, data) => {
    const name = eventName(event)
    if (!declared.has(name)) throw new Error(`${module.name} does not declare that it publishes ${name}`)
    await appendEvent(tx as unknown as Transaction<EventTables>, {
      name,
      key: String((data as Record<string, unknown>)[event.key]),
      occurredAt: new Date(clock.now()),
      traceparent: activeTraceparent(),
      data,
    })
  }
}
