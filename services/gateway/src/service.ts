import { agents, catalog, type Operation, oauth, routes, x402Facilitator } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { Config } from './config.ts'
import type { Resources } from './context.ts'
import { Introspections } from './credentials/introspections.ts'
import { InFlight } from './http/in-flight.ts'
import { LargeBodyBudgets } from './input/large-body-budgets.ts'
import { buildServer } from './server.ts'
import { readCounterStore } from './telemetry/counter-store.ts'
import { gatewayMeters } from './telemetry/meters.ts'

/** The HTTP edge: the only module that speaks HTTP with clients. It owns no table and joins no answers. */
export const gateway = service<typeof Config, unknown, Resources, Record<never, never>, readonly Operation[]>({
  name: 'gateway',
  config: Config,
  open: async ({ counters, clock, config, metrics }) => {
    const meters = gatewayMeters(metrics.registry)
    readCounterStore(meters.counterStore, metrics.collectors, counters)
    return {
      introspections: new Introspections(counters, clock),
      largeBodies: new LargeBodyBudgets(config.LARGE_REQUESTS_BYTES),
      meters,
    }
  },
  operations: {},
  serves: {},
  calls: [
    ...routes(),
    ...[oauth.introspect, oauth.readAuthorization, oauth.decideAuthorization],
    ...[agents.readLinkRequest, agents.decideLink],
    x402Facilitator.offer,
    catalog.readInvokeLink,
  ],
  edge: async (ctx) => {
    const door = { draining: false }
    const app = await buildServer(ctx, door)
    const inFlight = new InFlight(app.server)
    await app.listen({ port: ctx.config.PORT, host: ctx.config.HOST })
    return {
      drain() {
        door.draining = true
      },
      async close(deadlineMs) {
        door.draining = true
        const closed = app.close()
        await inFlight.over(deadlineMs)
        app.server.closeAllConnections()
        await closed
      },
    }
  },
})
