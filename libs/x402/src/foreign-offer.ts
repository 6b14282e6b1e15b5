import { chainIdOf, looksLikeCaip2 } from '@callboard/values'
import { type Discovery, readBazaar, readOutputSchema } from './bazaar.ts'
import type { SettledToken } from './check-authorization.ts'
import type { ConformanceIssue } from './conformance.ts'
import { isObject } from './json.ts'
import { isGatewayBatched } from './match.ts'
import { Extensions, Resource } from './payment-required.ts'
import { PaymentRequirements } from './payment-requirements.ts'
import { fromV1Requirements, V1PaymentRequirements } from './v1.ts'
import type { V1Networks } from './v1-networks.ts'

/** A stranger's offer as far as it can be read: sound entries in version 2 words, everything else as issues. */
export interface ForeignOffer {
  /** As declared; null when it declares none. */
  readonly x402Version: number | null
  readonly accepts: readonly PaymentRequirements[]
  readonly issues: readonly ConformanceIssue[]
  readonly resource?: Resource
  readonly extensions?: Extensions
  readonly discovery?: Discovery
}

/** What the reader knows of the world. */
export interface ForeignOfferContext {
  /** Version 1 names, extended by the caller for chains of its own. */
  readonly networks: V1Networks
  /** Known tokens: another asset on one of their networks is noted. */
  readonly tokens: readonly SettledToken[]
}

const MAX_ENTRIES = 64

type Entry = { requirement?: PaymentRequirements; issue?: ConformanceIssue; v1?: V1PaymentRequirements }

/** Reads an offer object of either version. One bad entry spoils itself only. */
export function readForeignOffer(
  offer: Record<string, unknown>,
  { networks, tokens }: ForeignOfferContext,
): ForeignOffer {
  const issues: ConformanceIssue[] = []
  const { x402Version: declared, accepts } = offer
  const x402Version = typeof declared === 'number' && Number.isSafeInteger(declared) ? declared : null
  if (x402Version === null) issues.push('X402_VERSION_MISSING')
  else if (x402Version !== 1 && x402Version !== 2) issues.push('X402_VERSION_UNSUPPORTED')
  if (accepts === undefined) issues.push('X402_ACCEPTS_MISSING')
  else if (!Array.isArray(accepts)) issues.push('X402_ACCEPTS_INVALID')
  else if (accepts.length === 0) issues.push('X402_ACCEPTS_EMPTY')

  const listed: unknown[] = Array.isArray(accepts) ? accepts.slice(0, MAX_ENTRIES) : []
  const entries = listed.map((entry) => readEntry(entry, x402Version, networks))
  const requirements = entries.flatMap(({ requirement }) => requirement ?? [])
  issues.push(
    ...entries.flatMap(({ issue }) => issue ?? []),
    ...requirements.flatMap((requirement) => requirementIssues(requirement, tokens)),
  )

  const v1 = entries.find((entry) => entry.v1)?.v1
  const resource = Resource.safeParse(v1 ? resourceOf(v1) : offer.resource)
  const extensions = Extensions.safeParse(offer.extensions)
  const discovery = v1 ? readOutputSchema(v1) : extensions.success ? readBazaar(extensions.data) : undefined
  return {
    x402Version,
    accepts: requirements,
    issues: [...new Set(issues)],
    ...(resource.success ? { resource: resource.data } : {}),
    ...(extensions.success ? { extensions: extensions.data } : {}),
    ...(discovery ? { discovery } : {}),
  }
}

function readEntry(entry: unknown, x402Version: number | null, networks: V1Networks): Entry {
  if (x402Version === 1 || (x402Version === null && isObject(entry) && 'maxAmountRequired' in entry)) {
    const v1 = V1PaymentRequirements.safeParse(entry)
    if (!v1.success) return { issue: 'X402_ACCEPT_ENTRY_INVALID' }
    const requirement = fromV1Requirements(v1.data, networks)
    return requirement ? { requirement, v1: v1.data } : { issue: 'NETWORK_REFERENCE_UNKNOWN', v1: v1.data }
  }
  const read = PaymentRequirements.safeParse(entry)
  return read.success ? { requirement: read.data } : { issue: networkIssue(entry) ?? 'X402_ACCEPT_ENTRY_INVALID' }
}

function networkIssue(entry: unknown): ConformanceIssue | undefined {
  const network = isObject(entry) ? entry.network : undefined
  if (typeof network !== 'string') return undefined
  if (!looksLikeCaip2(network)) return 'NETWORK_CAIP2_INVALID'
  const isEvm = network.startsWith('eip155:')
  return isEvm && chainIdOf(network) === undefined ? 'NETWORK_EIP155_REFERENCE_INVALID' : undefined
}

function requirementIssues(requirement: PaymentRequirements, tokens: readonly SettledToken[]): ConformanceIssue[] {
  if (requirement.scheme !== 'exact' || chainIdOf(requirement.network) === undefined) return []
  if (isGatewayBatched(requirement)) return ['GATEWAY_BATCHED']
  const { assetTransferMethod = 'eip3009', name, version } = requirement.extra ?? {}
  const hasDomain = typeof name === 'string' && name !== '' && typeof version === 'string' && version !== ''
  const served = tokens.filter(({ network }) => network === requirement.network)
  const isKnown = served.some(({ asset }) => asset.toLowerCase() === requirement.asset.toLowerCase())
  return [
    ...(assetTransferMethod === 'eip3009' && !hasDomain ? (['EIP712_DOMAIN_MISSING'] as const) : []),
    ...(served.length > 0 && !isKnown ? (['ASSET_UNKNOWN'] as const) : []),
  ]
}

const resourceOf = ({ resource, description, mimeType }: V1PaymentRequirements) => ({
  url: resource,
  ...(description ? { description } : {}),
  ...(mimeType ? { mimeType } : {}),
})
