import { edgeRoutes } from '../edge-routes/index.ts'
import { exampleOf } from '../examples/index.ts'
import { serviceOf } from '../operation.ts'
import { routes } from '../routes.ts'
import '../schemas/x402.ts'
import { Components } from './components.ts'
import { describeEdgeRoute } from './edge-routes.ts'
import { HEADERS, REQUEST_HEADERS } from './headers.ts'
import type { JsonObject } from './json-schema.ts'
import { requestOf } from './requests.ts'
import { type RoutePath, responsesOf } from './responses.ts'
import { securityOf, securitySchemes } from './security.ts'
import { tagOf, tags } from './tags.ts'

/** What the document says about an instance. */
export interface AboutInstance {
  readonly baseUrl: string
  /** The version of this build. */
  readonly version: string
  /** What paid operations cost, in USD by operation id. */
  readonly prices?: ReadonlyMap<string, string>
  /**
   * Where the paths that need an account are written: by reference, for crawlers that resolve none, or in place, for
   * most client generators. By reference when absent.
   */
  readonly accountPaths?: 'referred' | 'in_place'
}

/** One path with its operations. */
interface PathItem {
  readonly item: JsonObject
  /** Whether programs may call every operation of it without an account. */
  readonly isOpen: boolean
}

const GUIDANCE = `Callboard lists APIs that are paid per call with x402 in USDC. GET /api/call/discovery finds them; call one, \
pay what its 402 asks, and repeat the request with PAYMENT-SIGNATURE. Operations with x-payment-info are sold here.`

/** Returns the OpenAPI 3.1 document of everything that an instance serves. */
export function openapiDocument(about: AboutInstance): JsonObject {
  const { baseUrl, version, accountPaths = 'referred' } = about
  const components = new Components()
  const items = pathItemsOf(components, about)
  const all = [...items].map(([path, { item, isOpen }]) => ({
    ...{ path, item, name: nameOf(path) },
    isInPlace: isOpen || accountPaths === 'in_place',
  }))
  const reference = (name: string) => ({ $ref: `#/components/pathItems/${name}` })
  const referred = all.filter(({ isInPlace }) => !isInPlace)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callboard',
      version,
      summary: 'The open marketplace and payment rail for agents.',
      description:
        'Client generators that do not resolve references in `paths` can read the same document at `/openapi.client.json`. ' +
        'Every GET also has a HEAD, unless it changes something.',
      contact: { url: baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-guidance': GUIDANCE,
    },
    servers: [{ url: baseUrl }],
    tags,
    paths: Object.fromEntries(all.map(({ path, item, isInPlace, name }) => [path, isInPlace ? item : reference(name)])),
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers: HEADERS,
      parameters: REQUEST_HEADERS,
      ...(referred.length > 0 ? { pathItems: Object.fromEntries(referred.map(({ name, item }) => [name, item])) } : {}),
      securitySchemes: securitySchemes(baseUrl),
    },
  }
}

function pathItemsOf(components: Components, { prices }: AboutInstance): Map<string, PathItem> {
  const items = new Map<string, PathItem>()
  const add = ({ path, method }: { path: string; method: string }, described: JsonObject, isOpen: boolean) => {
    const template = path.replace(/:([A-Za-z]+)/g, '{$1}')
    const before = items.get(template) ?? { item: {}, isOpen: true }
    const item = { ...before.item, [method.toLowerCase()]: described }
    items.set(template, { item, isOpen: before.isOpen && isOpen })
  }
  // Named schemas come first: one derived from an operation may equal one of them.
  for (const op of routes()) for (const io of ['input', 'output'] as const) components.write(op[io], io)
  for (const op of routes()) {
    for (const path of [op.http.path, ...(op.http.aliases ?? [])]) {
      const at = { op, path, isAlias: path !== op.http.path }
      const described = describe(components, at, prices?.get(op.id))
      add({ path, method: op.http.method }, described, securityOf(op.http).length === 0)
    }
  }
  // A crawler looks for what programs call; pages and documents about this service are not that.
  for (const route of edgeRoutes) add(route, describeEdgeRoute(components, route), false)
  return items
}

/**
 * A paid operation's price, in the form for programs that look for things to buy. @source @agentcash/discovery 1.7.5
 */
const paymentInfo = (amountUsd: string): JsonObject => ({
  price: { mode: 'fixed', currency: 'USD', amount: amountUsd },
  protocols: [{ x402: {} }],
})

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** One route under one of its paths. A deprecated alias has its own id, since ids are unique in a document. */
function describe(components: Components, at: RoutePath, priceUsd: string | undefined): JsonObject {
  const { op, path, isAlias } = at
  const { input, output } = exampleOf(op)
  return {
    operationId: isAlias ? `${op.id}.${capitalise(path.split('/')[2] ?? 'alias')}` : op.id,
    summary: op.summary,
    tags: [tagOf(serviceOf(op))],
    ...(isAlias ? { deprecated: true } : {}),
    'x-stability': op.http.stability ?? 'stable',
    'x-limit-class': op.http.limit,
    security: securityOf(op.http),
    ...(op.http.paid && priceUsd !== undefined ? { 'x-payment-info': paymentInfo(priceUsd) } : {}),
    ...requestOf(components, op, input),
    responses: responsesOf(components, at, output),
  }
}

/** Turns a path into a component name: `/api/keys/{id}` becomes `api.keys.id`. */
const nameOf = (path: string): string =>
  path
    .split('/')
    .map((part) => part.replace(/[{}]/g, ''))
    .filter((part) => part !== '')
    .join('.') || 'root'

const sorted = (record: Readonly<Record<string, JsonObject>>): JsonObject =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
