import { resourceOf } from '@callboard/contract'
import { isObject, own, type PresentedPayment } from '@callboard/x402'

/**
 * The resource that a payment names. It is the payer's claim, so we keep only where our own probe may look. The members
 * other than `resource` are for a replica of the previous release, which may settle what we claimed.
 */
export interface DiscoveredResource {
  /** Origin and path, without query. */
  readonly resource: string
  readonly type: 'http'
  readonly x402Version: 1 | 2
  readonly accepts: Record<string, unknown>
}

const MAX_URL = 2048
const WEB: ReadonlySet<string> = new Set(['http:', 'https:'])

/** Reads the resource that a payment names; undefined when it names no usable one. */
export function discoveredResource(
  { x402Version, requirement }: PresentedPayment,
  paymentPayload: Record<string, unknown>,
  paymentRequirements: Record<string, unknown>,
): DiscoveredResource | undefined {
  const named = x402Version === 1 ? paymentRequirements : paymentPayload.resource
  const claims = isObject(named) ? named : {}
  const resource = resourceUrl(x402Version === 1 ? own(claims, 'resource') : own(claims, 'url'))
  if (resource === undefined) return undefined
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds } = requirement
  const accepts = { scheme, network, amount, asset, payTo, maxTimeoutSeconds }
  return { resource, type: 'http', x402Version, accepts }
}

/** Bounds the URL both as given and as normalized: a non-ASCII path grows when it is percent-encoded. */
function resourceUrl(given: unknown): string | undefined {
  const url = typeof given === 'string' && given.length <= MAX_URL ? URL.parse(given) : null
  if (!url || !WEB.has(url.protocol) || url.username !== '' || url.password !== '') return undefined
  const resource = resourceOf(url.href)
  return resource.length <= MAX_URL ? resource : undefined
}
