import { HttpMethod, type ProbeResult, type ShownOffer } from '@callboard/contract'
import {
  type Challenge,
  type ConformanceIssue,
  type Discovery,
  type PaymentRequirements,
  payability,
  type SettledToken,
} from '@callboard/x402'
import { cleanObject, cleanText } from './foreign-json.ts'

type ProbedOperation = ProbeResult['operations'][number]

const MAX_NAME = 80
const MAX_DESCRIPTION = 500
const MAX_EXTRA_CHARACTERS = 2 * 1024
const MAX_SCHEMA_CHARACTERS = 8 * 1024

/** What an endpoint asks for, in the contract's words. Everything a stranger said is bounded and storable. */
export function probeResult(
  challenge: Challenge,
  endpoint: URL,
  method: HttpMethod,
  tokens: readonly SettledToken[],
): ProbeResult {
  if (challenge.kind === 'plain') return { kind: 'plain', operations: [operationOf(endpoint, method)] }
  if (challenge.kind === 'mpp') {
    const { id, realm, method: paidBy, intent, request, description } = challenge.challenge
    return {
      kind: 'mpp',
      endpoint: endpoint.href,
      operations: [operationOf(endpoint, method, { description })],
      challenge: {
        id: cleanText(id, 256),
        realm: cleanText(realm, 256),
        method: cleanText(paidBy, 64),
        intent: cleanText(intent, 64),
        request: cleanObject(request ?? undefined, MAX_SCHEMA_CHARACTERS) ?? null,
      },
    }
  }
  const accepts = challenge.accepts.map((entry) => shownOffer(entry, tokens))
  const { resource, discovery, x402Version, versionConformant, offerTransport } = challenge
  return {
    kind: 'x402',
    x402Version,
    accepts,
    endpoint: endpoint.href,
    operations: [operationOf(endpoint, method, { description: resource?.description, discovery, challenged: true })],
    conformance: {
      declaredVersion: x402Version,
      versionConformant,
      offerTransport,
      issues: [...new Set([...challenge.issues, ...advice(discovery)])],
    },
  }
}

function shownOffer(entry: PaymentRequirements, tokens: readonly SettledToken[]): ShownOffer {
  const verdict = payability(entry, tokens)
  const extra = cleanObject(entry.extra, MAX_EXTRA_CHARACTERS)
  return {
    scheme: cleanText(entry.scheme, 64),
    network: entry.network,
    asset: verdict.payable ? verdict.token.asset : cleanText(entry.asset, 128),
    amount: entry.amount,
    payTo: verdict.payable ? verdict.payTo : cleanText(entry.payTo, 128),
    maxTimeoutSeconds: entry.maxTimeoutSeconds,
    ...(extra ? { extra } : {}),
    payable: verdict.payable,
    notPayableReason: verdict.payable ? null : verdict.reason,
  }
}

interface Told {
  readonly description?: string | undefined
  readonly discovery?: Discovery | undefined
  readonly challenged?: true
}

function operationOf(endpoint: URL, asked: HttpMethod, told: Told = {}): ProbedOperation {
  const { description, discovery, challenged } = told
  const declared = HttpMethod.safeParse(discovery?.method)
  const inputSchema = cleanObject(discovery?.inputSchema, MAX_SCHEMA_CHARACTERS)
  const outputSchema = cleanObject(discovery?.outputSchema, MAX_SCHEMA_CHARACTERS)
  return {
    method: declared.success ? declared.data : asked,
    url: endpoint.href,
    name: cleanText(discovery?.toolName ?? lastSegment(endpoint), MAX_NAME),
    ...(description ? { description: cleanText(description, MAX_DESCRIPTION) } : {}),
    metadataEvidence: discovery?.metadataEvidence ?? (challenged ? 'probe' : 'none'),
    ...(inputSchema ? { inputSchema } : {}),
    ...(outputSchema ? { outputSchema } : {}),
  }
}

const lastSegment = ({ pathname, hostname }: URL): string => pathname.split('/').findLast(Boolean) ?? hostname

function advice(discovery: Discovery | undefined): ConformanceIssue[] {
  return [
    ...(discovery?.inputSchema ? [] : (['SCHEMA_INPUT_MISSING'] as const)),
    ...(discovery?.outputSchema || discovery?.outputExample !== undefined ? [] : (['SCHEMA_OUTPUT_MISSING'] as const)),
  ]
}
