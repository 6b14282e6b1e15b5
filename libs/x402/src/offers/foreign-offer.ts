import { chainIdOf, looksLikeCaip2 } from '@callboard/values'
import type { ZodError } from 'zod'
import type { SettledToken } from '../authorization/check-authorization.ts'
import { type Discovery, readBazaar, readOutputSchema } from '../extensions/bazaar.ts'
import { isObject } from '../json.ts'
import { withoutNulls } from '../messages/absent.ts'
import { Extensions, Resource } from '../messages/payment-required.ts'
import { PaymentRequirements } from '../messages/payment-requirements.ts'
import { fromV1Requirements, V1PaymentRequirements } from '../messages/v1.ts'
import type { V1Networks } from '../messages/v1-networks.ts'
import type { ConformanceIssue } from './conformance.ts'
import type { ForeignOfferContext } from './foreign-offer-context.ts'
import { isGatewayBatched, type NotPayableReason, type Payability, payability } from './match.ts'
import { chosenByStockClient, unless } from './stock-client.ts'

export type { ForeignOfferContext } from './foreign-offer-context.ts'

/** A third party's offer as far as it is readable: sound entries in version 2 form, everything else as issues. */
export interface ForeignOffer {
  /** As declared; null when it declares none. */
  readonly x402Version: number | null
  readonly accepts: readonly PaymentRequirements[]
  /** For each of `accepts`, whether a stock client pays it, and if not, why. */
  readonly payability: readonly Payability[]
  /** The entries that could not be read. */
  readonly unread: readonly UnreadEntry[]
  readonly issues: readonly ConformanceIssue[]
  readonly resource?: Resource
  readonly extensions?: Extensions
  readonly discovery?: Discovery
}

/** An entry of `accepts` that could not be read, and why. */
export interface UnreadEntry {
  /** Its index in `accepts`, from 0. */
  readonly index: number
  readonly issue: ConformanceIssue
  /** Names of its members that are missing or of the wrong type; empty where it is not an entry at all. */
  readonly members: readonly string[]
  /** The entry unchanged. */
  readonly given: unknown
}

const MAX_ENTRIES = 64

type Entry = {
  readonly given: unknown
  readonly requirement?: PaymentRequirements
  readonly issue?: ConformanceIssue
  readonly members?: readonly string[]
  readonly v1?: V1PaymentRequirements
}

/** Reads an offer object of either version. A bad entry does not affect the others. */
export function readForeignOffer(
  offer: Record<string, unknown>,
  { networks, tokens }: ForeignOfferContext,
): ForeignOffer {
  const issues: ConformanceIssue[] = []
  const { x402Version: declared, accepts } = offer
  const x402Version = typeof declared === 'number' && Number.isSafeInteger(declared) ? declared : null
  if (x402Version === null) issues.push('X402_VERSION_MISSING')
  else if (!isVersion(x402Version)) issues.push('X402_VERSION_UNSUPPORTED')
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

  const verdicts = isVersion(x402Version)
    ? payabilityOf(entries, x402Version, { networks, tokens })
    : requirements.map((requirement) => unless(payability(requirement, tokens), 'version'))
  issues.push(...verdicts.flatMap((verdict) => (verdict.payable ? [] : (ISSUE_OF[verdict.reason] ?? []))))

  const v1 = entries.find((entry) => entry.v1)?.v1
  const resource = Resource.safeParse(v1 ? resourceOf(v1) : offer.resource)
  const extensions = Extensions.safeParse(offer.extensions)
  const discovery = v1 ? readOutputSchema(v1) : extensions.success ? readBazaar(extensions.data) : undefined
  return {
    x402Version,
    accepts: requirements,
    payability: verdicts,
    unread: entries.flatMap(({ given, issue, members = [] }, index) => (issue ? { index, issue, members, given } : [])),
    issues: [...new Set(issues)],
    ...(resource.success ? { resource: resource.data } : {}),
    ...(extensions.success ? { extensions: extensions.data } : {}),
    ...(discovery ? { discovery } : {}),
  }
}

function readEntry(given: unknown, x402Version: number | null, networks: V1Networks): Entry {
  const entry = withoutNulls(given)
  if (x402Version === 1 || (x402Version === null && isObject(entry) && 'maxAmountRequired' in entry)) {
    const v1 = V1PaymentRequirements.safeParse(entry)
    if (!v1.success) return { given, issue: 'X402_ACCEPT_ENTRY_INVALID', members: membersAtFault(v1.error) }
    const requirement = fromV1Requirements(v1.data, networks)
    return requirement
      ? { given, requirement, v1: v1.data }
      : { given, issue: 'NETWORK_REFERENCE_UNKNOWN', members: ['network'], v1: v1.data }
  }
  const read = PaymentRequirements.safeParse(entry)
  return read.success
    ? { given, requirement: read.data }
    : { given, issue: networkIssue(entry) ?? 'X402_ACCEPT_ENTRY_INVALID', members: membersAtFault(read.error) }
}

/** Only names from our schemas: never a member name that a third party invented. */
const membersAtFault = ({ issues }: ZodError): string[] => [
  ...new Set(issues.flatMap(({ path: [member] }) => (member === undefined ? [] : String(member)))),
]

/** The issues of reasons that no other check reports. */
const ISSUE_OF: Readonly<Partial<Record<NotPayableReason, ConformanceIssue>>> = {
  amount: 'AMOUNT_NOT_POSITIVE',
  payee: 'PAYTO_INVALID',
  timeout: 'TIMEOUT_TOO_SHORT',
  'transfer-method': 'TRANSFER_METHOD_UNSUPPORTED',
  'payment-flow': 'PAYMENT_FLOW_UNKNOWN',
  'behind-unpayable': 'BEHIND_UNPAYABLE',
}

const isVersion = (version: number | null): version is 1 | 2 => version === 1 || version === 2

/** Judges the entries together as a stock client does: it pays the one that it chooses, or none. */
function payabilityOf(entries: readonly Entry[], x402Version: 1 | 2, context: ForeignOfferContext): Payability[] {
  const alone = ({ requirement }: Entry) => requirement && payability(requirement, context.tokens)
  const chosen = chosenByStockClient(
    entries.map(({ given }) => given),
    x402Version,
    context,
  )
  const first = chosen === undefined ? undefined : entries[chosen]
  const pays = first !== undefined && alone(first)?.payable === true
  return entries.flatMap((entry) => {
    const verdict = alone(entry)
    if (!verdict) return []
    return pays ? verdict : unless(verdict, 'behind-unpayable')
  })
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
