import type { HttpBinding, Operation } from '@callboard/contract'
import type { Call, Kit } from '@callboard/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { Introspections } from './introspections.ts'

export interface Parts {
  readonly introspections: Introspections
}

/** The gateway calls every operation of the contract and owns no table. */
export type GatewayKit = Kit<Config, unknown, Parts> & { readonly call: Call<Operation> }

/** An operation with an HTTP face. */
export type Route = Operation & { readonly http: HttpBinding }

/** One step on the way to an operation. Leaves by throwing Refused; returning goes on. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, route: Route, kit: GatewayKit) => Promise<void> | void
