import { HttpMethod, type ProbeResult, type MppChallenge as ShownChallenge } from '@callboard/contract'
import type { Challenge, ConformanceIssue, Discovery, ForeignOffer, MppChallenge } from '@callboard/x402'
import { cleanObject, cleanText } from './foreign-json.ts'
import type { DocumentedOperation } from './openapi.ts'
import { shownAccepts, shownUnread } from './shown-offer.ts'

type ProbedOperation = ProbeResult['operations'][number]

const MAX_NAME = 80
const MAX_DESCRIPTION = 500
const MAX_SCHEMA_CHARACTERS = 8 * 1024
const MAX_EXAMPLE_CHARACTERS = 2 * 1024
const MAX_CHALLENGES = 16
const MAX_EXTENSIONS = 16
const MAX_EXTENSION_CHARACTERS = 4 * 1024

/**
 * What an endpoint asks for, in the contract's terms. Everything from a third party is bounded and storable.
 * @param documented what the origin's OpenAPI document says about the operation, if it was read
 */
export function probeResult(
  challenge: Challenge,
  endpoint: URL,
  method: HttpMethod,
  documented?: DocumentedOperation,
): ProbeResult {
  if (challenge.kind === 'plain') {
    return { kind: 'plain', operations: [operationOf(endpoint, method, { documented })] }
  }
  if (challenge.kind === 'mpp') {
    const { challenges } = challenge
    const [first] = challenges
    return {
      kind: 'mpp',
      endpoint: endpoint.href,
      operations: [operationOf(endpoint, method, { description: first.description, documented })],
      challenge: shownChallenge(first),
      challenges: challenges.slice(0, MAX_CHALLENGES).map(shownChallenge),
    }
  }
  const { resource, discovery, x402Version, versionConformant, offerTransport, mpp, unread, extensions } = challenge
  const description = resource?.description || mpp[0]?.description
  const described = { description, discovery, documented, challenged: true } as const
  return {
    kind: 'x402',
    x402Version,
    accepts: shownAccepts(challenge),
    endpoint: endpoint.href,
    operations: [operationOf(endpoint, method, described)],
    conformance: {
      declaredVersion: x402Version,
      versionConformant,
      offerTransport,
      issues: [...new Set([...challenge.issues, ...advice(discovery)])],
    },
    unread: unread.map(shownUnread),
    extensions: shownExtensions(extensions),
    challenges: mpp.slice(0, MAX_CHALLENGES).map(shownChallenge),
  }
}

function shownChallenge({ id, realm, method, intent, request, expires, description }: MppChallenge): ShownChallenge {
  return {
    id: cleanText(id, 256),
    realm: cleanText(realm, 256),
    method: cleanText(method, 64),
    intent: cleanText(intent, 64),
    request: cleanObject(request ?? undefined, MAX_SCHEMA_CHARACTERS) ?? null,
    ...(expires === undefined ? {} : { expires: cleanText(expires, 64) }),
    ...(description === undefined ? {} : { description: cleanText(description, MAX_DESCRIPTION) }),
  }
}

/** Extensions by name; one that is too long to be shown is kept, empty. */
const shownExtensions = (extensions: ForeignOffer['extensions']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(extensions ?? {})
      .slice(0, MAX_EXTENSIONS)
      .map(([name, extension]) => {
        const shown = cleanObject({ extension }, MAX_EXTENSION_CHARACTERS)
        return [cleanText(name, MAX_NAME), shown ? shown.extension : {}]
      }),
  )

interface Described {
  readonly description?: string | undefined
  readonly discovery?: Discovery | undefined
  readonly documented?: DocumentedOperation | undefined
  readonly challenged?: true
}

/** @param asked the method that was called */
export function operationOf(endpoint: URL, asked: HttpMethod, described: Described): ProbedOperation {
  const { description, discovery, challenged } = described
  const documented = described.documented?.method === asked ? described.documented : undefined
  const declared = HttpMethod.safeParse(discovery?.method)
  const inputSchema = cleanObject(discovery?.inputSchema ?? documented?.inputSchema, MAX_SCHEMA_CHARACTERS)
  const inputExample = cleanObject(discovery?.inputExample, MAX_EXAMPLE_CHARACTERS)
  const outputSchema = cleanObject(discovery?.outputSchema, MAX_SCHEMA_CHARACTERS)
  const evidence = documented ? 'openapi' : challenged ? 'probe' : 'none'
  return {
    method: declared.success ? declared.data : asked,
    url: endpoint.href,
    name: cleanText(discovery?.toolName ?? lastSegment(endpoint), MAX_NAME),
    ...(description ? { description: cleanText(description, MAX_DESCRIPTION) } : {}),
    metadataEvidence: discovery?.metadataEvidence ?? evidence,
    ...(inputSchema ? { inputSchema } : {}),
    ...(inputExample ? { inputExample } : {}),
    ...(outputSchema ? { outputSchema } : {}),
    ...(discovery?.routeTemplate ? { routeTemplate: discovery.routeTemplate } : {}),
  }
}

const lastSegment = ({ pathname, hostname }: URL): string => pathname.split('/').findLast(Boolean) ?? hostname

function advice(discovery: Discovery | undefined): ConformanceIssue[] {
  return [
    ...(discovery?.inputSchema ? [] : (['SCHEMA_INPUT_MISSING'] as const)),
    ...(discovery?.outputSchema || discovery?.outputExample !== undefined ? [] : (['SCHEMA_OUTPUT_MISSING'] as const)),
  ]
}
