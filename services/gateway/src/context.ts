import type { HttpBinding, Operation } from '@callboard/contract'
import type { Call, ServiceContext } from '@callboard/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { Introspections } from './credentials/introspections.ts'
import type { LargeBodyBudgets } from './input/large-body-budgets.ts'
import type { GatewayMeters } from './telemetry/meters.ts'

export interface Resources {
  readonly introspections: Introspections
  readonly largeBodies: LargeBodyBudgets
  readonly meters: GatewayMeters
}

/** The gateway calls every operation of the contract and owns no table. */
export type GatewayContext = ServiceContext<Config, unknown, Resources> & { readonly call: Call<Operation> }

/** An operation with an HTTP binding. */
export type Route = Operation & { readonly http: HttpBinding }

/** One step before an operation. It refuses by throwing Refused; returning continues. */
export type Hook = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  ctx: GatewayContext,
) => Promise<void> | void
