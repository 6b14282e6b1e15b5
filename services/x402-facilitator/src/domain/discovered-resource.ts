import { BUILDER_CODE, isObject, own, PAYMENT_IDENTIFIER, type PresentedPayment, readBazaar } from '@callboard/x402'

/** A resource as its payer's payment described it: a claim of strangers, bounded, text only. */
export interface DiscoveredResource {
  /** Origin and path, without query. */
  readonly resource: string
  readonly type: 'http' | 'mcp'
  readonly x402Version: 1 | 2
  /** The requirement that was paid. */
  readonly accepts: Record<string, unknown>
  readonly description?: string
  readonly mimeType?: string
  readonly serviceName?: string
  readonly extensions?: Record<string, unknown>
}

const MAX_URL = 2048
const MAX_DESCRIPTION = 512
const MAX_WORD = 128
const MAX_SERVICE_NAME = 32
/** Characters of JSON above which an extension is left out. */
const MAX_EXTENSION = 16_384
const MAX_EXTENSIONS = 8

/** What discovery may tell of a paid resource; undefined when the payment names no usable one. */
export function discoveredResource(
  { x402Version, extensions, requirement }: PresentedPayment,
  paymentPayload: Record<string, unknown>,
  paymentRequirements: Record<string, unknown>,
): DiscoveredResource | undefined {
  const told = x402Version === 1 ? paymentRequirements : paymentPayload.resource
  const claims = isObject(told) ? told : {}
  const bazaar = readBazaar(extensions)
  const resource = resourceUrl(x402Version === 1 ? own(claims, 'resource') : own(claims, 'url'), bazaar?.routeTemplate)
  if (resource === undefined) return undefined
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = requirement
  const named = {
    description: plainText(own(claims, 'description'), MAX_DESCRIPTION),
    mimeType: plainText(own(claims, 'mimeType'), MAX_WORD),
    serviceName: plainText(own(claims, 'serviceName'), MAX_SERVICE_NAME),
    extensions: keptExtensions(extensions),
  }
  return {
    resource,
    type: bazaar?.type ?? 'http',
    x402Version,
    accepts: {
      scheme,
      network,
      amount,
      asset,
      payTo,
      maxTimeoutSeconds,
      ...(extra && isStorable(extra) ? { extra } : {}),
    },
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  }
}

function resourceUrl(told: unknown, routeTemplate: string | undefined): string | undefined {
  const url = typeof told === 'string' && told.length <= MAX_URL ? URL.parse(told) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  return `${url.origin}${routeTemplate ?? url.pathname}`
}

/** Text without control characters and markup brackets, cut to its limit; undefined when nothing is left. */
function plainText(told: unknown, limit: number): string | undefined {
  if (typeof told !== 'string') return undefined
  const text = told
    .replace(/[\p{Cc}\p{Cf}\s<>]+/gu, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed()
  return text === '' ? undefined : text
}

/** The extensions that describe the resource; the ones that speak of a single payment are left out. */
function keptExtensions(extensions: Record<string, unknown>): Record<string, unknown> | undefined {
  const personal: readonly string[] = [PAYMENT_IDENTIFIER, BUILDER_CODE]
  const kept = Object.entries(extensions).filter((entry) => !personal.includes(entry[0]) && isStorable(entry))
  return kept.length > 0 ? Object.fromEntries(kept.slice(0, MAX_EXTENSIONS)) : undefined
}

/** JSON of bounded size that Postgres takes: jsonb knows no NUL and no half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  const text = JSON.stringify(value)
  return text.length <= MAX_EXTENSION && !/\\u(0000|d[89a-f])/i.test(text)
}
