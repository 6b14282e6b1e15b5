import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { edgeRoutes } from '../edge-routes/index.ts'
import { namedSchemas } from '../named-schemas.ts'
import { routes } from '../routes.ts'
import { type AboutInstance, openapiDocument } from './document.ts'
import type { JsonObject } from './json-schema.ts'
import { pathItems } from './path-items.ts'

const BASE = { baseUrl: 'https://callboard.example', version: '0.1.0' }
const documentOf = (more: Partial<AboutInstance> = {}) => openapiDocument({ ...BASE, ...more })

interface Shown {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly JsonObject[]
  readonly parameters: readonly { readonly name?: string; readonly schema?: JsonObject; readonly $ref?: string }[]
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly requestBody?: JsonObject
}

const document = documentOf()
const components = document.components as Record<string, Record<string, JsonObject>>
const shown = Object.values(pathItems(document)).flatMap((item) => Object.values(item)) as unknown as Shown[]
const operation = (id: string) => {
  const found = shown.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}
/** Returns an answer with its reference resolved. */
const answer = (id: string, status: number): JsonObject => {
  const response = operation(id).responses[status] ?? {}
  const { $ref } = response
  return typeof $ref === 'string' ? (components.responses?.[$ref.split('/').at(-1) ?? ''] ?? {}) : response
}
const bodyOf = (id: string, status: number) =>
  Object.values(answer(id, status).content as Record<string, { schema: JsonObject }>)[0]?.schema
const headersOf = (id: string, status: number) => Object.keys((answer(id, status).headers ?? {}) as object)

/** Yields every object inside a document, with its path. */
function* everything(value: unknown, path = ''): Generator<readonly [path: string, value: JsonObject]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as JsonObject]
  for (const [key, member] of Object.entries(value)) yield* everything(member, `${path}/${key}`)
}

test.each(['referred', 'in_place'] as const)(
  'the document is valid OpenAPI 3.1 with account paths %s',
  async (accountPaths) => {
    expect(await new Validator().validate(structuredClone(documentOf({ accountPaths })))).toMatchObject({ valid: true })
  },
)

test.each(['referred', 'in_place'] as const)('a linter finds nothing with account paths %s', async (accountPaths) => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: JSON.stringify(documentOf({ accountPaths })), config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

describe('operations', () => {
  test('every route, alias and page appears once, under its own id', () => {
    const ids = shown.map(({ operationId }) => operationId)
    expect(ids).toEqual(expect.arrayContaining([...routes(), ...edgeRoutes].map(({ id }) => id)))
    expect(new Set(ids).size).toBe(ids.length)
    const aliases = routes().flatMap(({ http }) => http.aliases ?? [])
    expect(ids).toHaveLength(routes().length + aliases.length + edgeRoutes.length)
  })

  test('each has a tag, and each tag has a description', () => {
    const described = (document.tags as { name: string; description: string }[]).map(({ name }) => name)
    expect(new Set(shown.flatMap(({ tags }) => tags))).toEqual(new Set(described))
  })

  test('paths that programs may call without an account are in `paths`, and the others are references', () => {
    const paths = document.paths as Record<string, { $ref?: string }>
    expect(paths['/api/call/discovery']).toHaveProperty('get.operationId', 'catalog.discovery')
    expect(paths['/api/keys/{id}']).toEqual({ $ref: '#/components/pathItems/api.keys.id' })
    expect(paths['/account']).toEqual({ $ref: '#/components/pathItems/account' })
    const references = Object.values(paths).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    expect(references.sort()).toEqual(Object.keys(components.pathItems ?? {}).sort())
    expect(new Set(references).size).toBe(references.length)
  })

  test('for client generators every path is written in place, and nothing else differs', () => {
    const inPlace = documentOf({ accountPaths: 'in_place' })
    expect(JSON.stringify(inPlace.paths)).not.toContain('#/components/pathItems/')
    expect(pathItems(inPlace)).toEqual(pathItems(document))
    const { pathItems: _, ...rest } = components
    expect(inPlace.components).toEqual(rest)
  })
})

describe('schemas', () => {
  test('have names in PascalCase, and a named schema is always referenced', () => {
    const names = Object.keys(components.schemas ?? {})
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/)
    expect(names).toEqual(
      expect.arrayContaining(['ListingRecord', 'DiscoveryPage', 'PaymentRequired', 'NotFoundError']),
    )
    expect(bodyOf('catalog.discovery', 200)).toEqual({ $ref: '#/components/schemas/DiscoveryPage' })
    expect(bodyOf('listings.publish', 201)).toEqual({ $ref: '#/components/schemas/ListingWithWarnings' })
    expect(operation('x402-facilitator.settle').requestBody).toHaveProperty(['content', 'application/json', 'schema'], {
      $ref: '#/components/schemas/FacilitatorRequest',
    })
  })

  test('every name that the contract defines is used', () => {
    const names = Object.keys(components.schemas ?? {})
    expect([...namedSchemas.names()].filter((name) => !names.includes(name))).toEqual([])
  })

  test('every reference resolves', () => {
    const lost = [...everything(document)].flatMap(([path, { $ref }]) => {
      if (typeof $ref !== 'string') return []
      const [, , kind = '', name = ''] = $ref.split('/')
      return components[kind]?.[name] === undefined ? [`${path}: ${$ref}`] : []
    })
    expect(lost).toEqual([])
  })

  test('no object with more than one member is written twice', () => {
    const schemas = Object.entries(components.schemas ?? {}).filter(
      ([, { type, properties }]) => type === 'object' && Object.keys((properties ?? {}) as object).length > 1,
    )
    const byText = Map.groupBy(schemas, ([, schema]) => JSON.stringify(schema))
    expect([...byText.values()].filter((same) => same.length > 1).map((same) => same.map(([name]) => name))).toEqual([])
  })

  test('patterns compile without flags', () => {
    const patterns = [...everything(document)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    )
    expect(patterns.length).toBeGreaterThan(10)
    for (const pattern of patterns) {
      expect(() => new RegExp(pattern)).not.toThrow()
      expect(pattern).not.toMatch(/\\[pP]|\(\?<|\\d/)
    }
  })

  test('the forms of addresses, hashes and networks are patterns, which clients can check', () => {
    for (const name of ['Address', 'Hash32', 'Network']) {
      expect(components.schemas?.[name], name).toMatchObject({ pattern: expect.stringMatching(/^\^.+\$$/) })
    }
  })

  test('booleans and numbers of a query have their own type, with the default for an absent one', () => {
    const { parameters } = operation('catalog.discovery')
    const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema
    expect(schemaOf('includeUnverified')).toEqual({ type: 'boolean', default: false })
    expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 50, default: 20 })
  })

  test('the session token is not part of the documented answer', () => {
    expect(JSON.stringify(document)).not.toContain('sessionToken')
  })
})

describe('refusals', () => {
  test('have the shape in which they are sent: that of the API or that of OAuth', () => {
    expect(bodyOf('catalog.entry', 404)).toEqual({ $ref: '#/components/schemas/NotFoundError' })
    expect(components.schemas?.NotFoundError).toMatchObject({
      required: ['error', 'message'],
      properties: { error: { const: 'not_found' }, message: {}, field: {} },
    })
    expect(bodyOf('oauth.token', 401)).toEqual({ $ref: '#/components/schemas/InvalidClientOAuthError' })
    expect(components.schemas?.InvalidClientOAuthError).toMatchObject({
      required: ['error', 'error_description'],
      properties: { error: { const: 'invalid_client' }, error_description: {} },
    })
  })

  test('name the additional members that one of them has', () => {
    expect(components.schemas?.InternalError).toHaveProperty('properties.request_id')
    expect(components.schemas?.SlowDownOAuthError).toHaveProperty('properties.interval')
    expect(components.schemas?.EndpointUnreachableError).toHaveProperty('properties.state')
  })

  test('with the same status differ by `error`', () => {
    expect(bodyOf('listings.publish', 409)).toEqual({
      oneOf: [
        { $ref: '#/components/schemas/InvalidStateError' },
        { $ref: '#/components/schemas/SlugTakenError' },
        { $ref: '#/components/schemas/ListingLimitError' },
        { $ref: '#/components/schemas/NameResemblesVerifiedError' },
      ],
    })
  })
})

describe('headers', () => {
  test('every answer has its request id', () => {
    for (const { operationId, responses } of shown) {
      for (const status of Object.keys(responses)) {
        expect(headersOf(operationId, Number(status)), `${operationId} ${status}`).toContain('X-Request-Id')
      }
    }
  })

  test('the headers of each status are listed', () => {
    expect(headersOf('catalog.discovery', 429)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']))
    expect(headersOf('listings.mine', 401)).toContain('WWW-Authenticate')
    expect(headersOf('listings.mine', 403)).toContain('WWW-Authenticate')
    expect(headersOf('agents.readBackup', 200)).toContain('ETag')
    expect(headersOf('gateway.protectedResource', 304)).toContain('ETag')
    expect(headersOf('catalog.discovery.Marketplace', 200)).toEqual(expect.arrayContaining(['Deprecation', 'Link']))
    expect(headersOf('oauth.createSession', 200)).toContain('Set-Cookie')
  })
})

describe('security', () => {
  test('is what the route accepts', () => {
    expect(operation('catalog.entry').security).toEqual([])
    expect(operation('listings.publish').security).toEqual([{ apiKey: [] }, { accessToken: ['call.publish'] }])
    expect(operation('agents.self').security).toEqual([{ accessToken: [] }])
    expect(operation('oauth.readClient').security).toEqual([{ registrationToken: [] }])
    expect(operation('oauth.listKeys').security).toEqual([{ session: [] }])
    expect(operation('oauth.token').security).toEqual([{}, { clientSecret: [] }])
  })

  test('the cookie has the name that it has for the scheme of the base URL', () => {
    expect(components.securitySchemes?.session).toMatchObject({ in: 'cookie', name: '__Host-callboard' })
    expect(documentOf({ baseUrl: 'http://127.0.0.1:8402' })).toHaveProperty(
      'components.securitySchemes.session.name',
      'callboard',
    )
  })
})

describe('paid operations', () => {
  const decode = (described: JsonObject) => pathItems(described)['/x402/decode']?.post ?? {}

  test('state the price where it is known', () => {
    expect(decode(document)).not.toHaveProperty('x-payment-info')
    const prices = new Map([['x402-facilitator.decode', '0.25']])
    expect(decode(documentOf({ prices }))['x-payment-info']).toEqual({
      price: { mode: 'fixed', currency: 'USD', amount: '0.25' },
      protocols: [{ x402: {} }],
    })
  })

  test('state the offer and its headers, and how a payment is sent and confirmed', () => {
    expect(bodyOf('x402-facilitator.decode', 402)).toEqual({
      oneOf: [{ $ref: '#/components/schemas/PaymentRequired' }, { $ref: '#/components/schemas/PaymentRequiredV1' }],
    })
    expect(headersOf('x402-facilitator.decode', 402)).toContain('PAYMENT-REQUIRED')
    expect(headersOf('x402-facilitator.decode', 200)).toContain('PAYMENT-RESPONSE')
    expect(operation('x402-facilitator.decode').parameters).toContainEqual({
      $ref: '#/components/parameters/PAYMENT-SIGNATURE',
    })
  })
})
