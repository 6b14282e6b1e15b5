import { type Operation, oauth, routes, x402Facilitator } from '@callboard/contract'
import { service } from '@callboard/runtime'
import type { FastifyListenOptions } from 'fastify'
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
  calls: [...routes(), oauth.introspect, x402Facilitator.offer],
  edge: async (kit) => {
    const app = await buildServer(kit)
    const inFlight = new InFlight(app.server)
    const { PORT: port, HOST: host, REUSE_PORT: reusePort } = kit.config
    await app.listen({ port, host, ...(reusePort ? { reusePort } : {}) } as FastifyListenOptions)
    return async (deadlineMs) => {
      const closed = app.close()
      await inFlight.over(deadlineMs)
      app.server.closeAllConnections()
      await closed
    }
  },
})
