import * as contract from '@callboard/contract'

export type { Operation, OutputOf, TokenAnswer } from '@callboard/contract'

type Routed<Operations> = {
  readonly [Name in keyof Operations as Operations[Name] extends contract.Route ? Name : never]: Operations[Name]
}

const isRoute = (value: unknown): value is contract.Route =>
  typeof value === 'object' && value !== null && 'http' in value

/** A service's operations that have a route; those only on the bus are not part of this package. */
const routed = <Operations extends object>(operations: Operations): Routed<Operations> =>
  Object.fromEntries(Object.entries(operations).filter(([, value]) => isRoute(value))) as Routed<Operations>

type WithoutModelRoutes<Operations> = {
  readonly [Name in keyof Operations as Operations[Name] extends { readonly http: { readonly auth: 'router_key' } }
    ? never
    : Name]: Operations[Name]
}

const withoutModelRoutes = <Operations extends object>(operations: Operations): WithoutModelRoutes<Operations> =>
  Object.fromEntries(
    Object.entries(operations).filter(([, op]) => isRoute(op) && op.http.auth !== 'router_key'),
  ) as WithoutModelRoutes<Operations>

export const agents = routed(contract.agents)
export const catalog = routed(contract.catalog)
export const listings = routed(contract.listings)
export const oauth = routed(contract.oauth)
/** Without the model routes, which are meant for OpenAI's and Anthropic's clients. */
export const router = withoutModelRoutes(routed(contract.router))
export const x402Facilitator = routed(contract.x402Facilitator)
