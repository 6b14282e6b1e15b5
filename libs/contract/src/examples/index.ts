import type { Route } from '../operation.ts'
import { examples as agents } from './agents.ts'
import { examples as catalog } from './catalog.ts'
import { examples as listings } from './listings.ts'
import { examples as livenessProber } from './liveness-prober.ts'
import { examples as oauth } from './oauth.ts'
import { examples as router } from './router.ts'
import { examples as x402Facilitator } from './x402-facilitator.ts'

interface ShownExample {
  readonly input: Record<string, unknown>
  readonly output: unknown
}

const BY_SERVICE: Readonly<Record<string, Readonly<Record<string, ShownExample>>>> = {
  agents,
  catalog,
  listings,
  'liveness-prober': livenessProber,
  oauth,
  router,
  'x402-facilitator': x402Facilitator,
}

/**
 * The example of an operation, as the OpenAPI document shows it.
 * @throws Error where there is none
 */
export function exampleOf({ id }: Pick<Route, 'id'>): ShownExample {
  const [service = '', name = ''] = id.split('.')
  const example = BY_SERVICE[service]?.[name]
  if (!example) throw new Error(`${id} has no example`)
  return example
}
