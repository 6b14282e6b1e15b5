import { agents, type Operation, oauth, routes, x402Facilitator } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { Config } from './config.ts'
import { InFlight } from './in-flight.ts'
import { Introspections } from './introspections.ts'
import type { Parts } from './kit.ts'
import { buildServer } from './server.ts'

/** The HTTP edge: the only room that speaks HTTP with clients. It owns no table and joins no answers. */
export const gateway = service<typeof Config, unknown, Parts, Record<never, never>, Operation>({
  name: 'gateway',
  config: Config,
  open: async ({ counters, clock }) => ({ introspections: new Introspections(counters, clock) }),
  operations: {},
  serves: {},
  calls: [
    ...routes(),
    ...[oauth.introspect, oauth.readAuthorization, oauth.decideAuthorization],
    ...[agents.readLinkRequest, agents.decideLink],
    x402Facilitator.offer,
  ],
  edge: async (kit) => {
    const door = { draining: false }
    const app = await buildServer(kit, door)
    const inFlight = new InFlight(app.server)
    await app.listen({ port: kit.config.PORT, host: kit.config.HOST })
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
