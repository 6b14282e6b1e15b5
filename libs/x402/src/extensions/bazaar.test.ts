import { declareDiscoveryExtension, extractDiscoveryInfoFromExtension } from '@x402/extensions/bazaar'
import { describe, expect, test } from 'vitest'
import { fitsTemplate, readBazaar, readOutputSchema, refersElsewhere } from './bazaar.ts'

const QUERY = { properties: { city: { type: 'string' } }, required: ['city'] }

type Declared = Parameters<typeof declareDiscoveryExtension>[0]

/** An offer as @x402/extensions creates it; its server adds the method later. */
function declaring(method: string, declared: Declared) {
  const { bazaar } = declareDiscoveryExtension(declared)
  if (!bazaar) throw new Error('the package declares under the key bazaar')
  const info = { ...bazaar.info, input: { ...bazaar.info.input, method } }
  return { bazaar: { ...bazaar, info } as typeof bazaar }
}

describe('readBazaar', () => {
  test('default: reads method, schemas and example of an offer made with @x402/extensions', () => {
    const declared = declaring('POST', {
      bodyType: 'json',
      input: { city: 'Bern' },
      inputSchema: QUERY,
      output: { example: { degrees: 7 }, schema: { properties: { degrees: { type: 'number' } } } },
    })
    expect(readBazaar(declared)).toMatchObject({
      metadataEvidence: 'bazaar',
      type: 'http',
      method: 'POST',
      inputSchema: QUERY,
      inputExample: { city: 'Bern' },
      outputSchema: { properties: { degrees: { type: 'number' } } },
      outputExample: { degrees: 7 },
    })
    expect(extractDiscoveryInfoFromExtension(declared.bazaar).input).toMatchObject({ type: 'http', method: 'POST' })
  })

  test('behavior: a query is the input where there is no body', () => {
    const declared = declaring('GET', { input: { city: 'Bern' }, inputSchema: QUERY })
    expect(readBazaar(declared)).toMatchObject({ method: 'GET', inputSchema: QUERY, inputExample: { city: 'Bern' } })
  })

  test('behavior: a tool is named by toolName, or by tool as in the specification text', () => {
    const info = { input: { type: 'mcp', inputSchema: QUERY } }
    const named = (key: string) => ({ bazaar: { info: { input: { ...info.input, [key]: 'weather' } } } })
    expect(readBazaar(named('toolName'))).toMatchObject({ type: 'mcp', toolName: 'weather', inputSchema: QUERY })
    expect(readBazaar(named('tool'))).toMatchObject({ toolName: 'weather' })
  })

  const http = (more: object, schema?: object) => ({
    bazaar: { info: { input: { type: 'http', method: 'GET' } }, ...more, ...(schema ? { schema } : {}) },
  })

  test.each(['/a/../b', '/a/%2e%2e/b', '/a/%252e%252e/b', 'https://x', '/x://y', '/a b', '/%zz', '', 7])(
    'behavior: the route template %j is left out',
    (routeTemplate) => {
      expect(readBazaar(http({ routeTemplate }))).not.toHaveProperty('routeTemplate')
    },
  )

  test('behavior: a sound route template is kept', () => {
    expect(readBazaar(http({ routeTemplate: '/users/:id' }))).toMatchObject({ routeTemplate: '/users/:id' })
  })

  test('behavior: a schema that refers to another document is left out', () => {
    const withRef = ($ref: string) =>
      readBazaar(http({}, { properties: { input: { properties: { queryParams: { properties: { a: { $ref } } } } } } }))
    expect(withRef('https://evil.example/schema.json')).not.toHaveProperty('inputSchema')
    expect(withRef('#/$defs/a')).toHaveProperty('inputSchema')
  })

  test.each([
    undefined,
    {},
    { bazaar: null },
    { bazaar: { info: 1 } },
    { bazaar: { info: { input: { type: 'ftp' } } } },
  ])('error: %j is ignored', (extensions) => {
    expect(readBazaar(extensions)).toBeUndefined()
  })

  test('error: an unknown method is left out', () => {
    expect(readBazaar({ bazaar: { info: { input: { type: 'http', method: 'BREW' } } } })).not.toHaveProperty('method')
  })
})

describe('refersElsewhere', () => {
  test.each([
    ['too deep', `${'{"a":'.repeat(20_000)}0${'}'.repeat(20_000)}`],
    ['too large', JSON.stringify({ a: Array(100_000).fill(0) })],
  ])('behavior: a document that is %s counts as referring elsewhere', (_what, text) => {
    expect(refersElsewhere(JSON.parse(text))).toBe(true)
  })

  test('behavior: the walk stops at its node limit', () => {
    let visits = 0
    const endless: object = new Proxy([] as unknown[], {
      get: (target, key) => {
        if (key === 'length') return Number.MAX_SAFE_INTEGER
        if (typeof key === 'string' && /^\d+$/.test(key)) visits += 1
        return typeof key === 'string' && /^\d+$/.test(key) ? 0 : Reflect.get(target, key)
      },
      has: () => true,
    })
    expect(refersElsewhere(endless)).toBe(true)
    expect(visits).toBeLessThanOrEqual(10_000)
  })

  test('behavior: reads every level within the limits', () => {
    const nested = (depth: number, leaf: object): object => (depth === 0 ? leaf : { a: [nested(depth - 1, leaf)] })
    expect(refersElsewhere(nested(20, { $ref: '#/$defs/a' }))).toBe(false)
    expect(refersElsewhere(nested(20, { $ref: 'https://evil.example/schema.json' }))).toBe(true)
  })
})

describe('fitsTemplate', () => {
  test.each([
    ['/weather/:city', '/weather/bern', true],
    ['/weather/:city/:day', '/weather/bern/1', true],
    ['/weather', '/weather', true],
    ['/:any', '/weather', true],
    ['/weather/:city', '/weather/', false],
    ['/weather/:city', '/weather', false],
    ['/weather/:city', '/weather/bern/1', false],
    ['/rates/:pair', '/weather/bern', false],
    ['/v:major', '/vat', false],
    ['/:from:to', '/a', false],
  ])('%s and %s: %j', (template, pathname, fits) => expect(fitsTemplate(template, pathname)).toBe(fits))
})

describe('readOutputSchema', () => {
  const reading = (input: object, output?: unknown) =>
    readOutputSchema({ outputSchema: { input: { type: 'http', ...input }, output } })

  test('default: fields become a JSON Schema, with required names next to the properties', () => {
    const bodyFields = {
      city: { type: 'string', required: true, description: 'Where' },
      days: { type: 'number' },
      unit: 'string',
    }
    expect(reading({ method: 'post', bodyFields }, { degrees: 7 })).toEqual({
      metadataEvidence: 'output-schema',
      type: 'http',
      method: 'POST',
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Where' },
          days: { type: 'number' },
          unit: { type: 'string' },
        },
        required: ['city'],
      },
      outputExample: { degrees: 7 },
    })
  })

  test('behavior: reads both spellings of the query', () => {
    for (const key of ['queryParams', 'query_params']) {
      expect(reading({ method: 'GET', [key]: { q: 'free text' } })?.inputSchema).toEqual({
        type: 'object',
        properties: { q: {} },
      })
    }
  })

  test('behavior: an output that is a schema is returned as a schema', () => {
    expect(reading({}, { type: 'object', properties: {} })).toMatchObject({ outputSchema: { type: 'object' } })
  })

  test('error: an entry that hides itself or describes nothing yields nothing', () => {
    expect(reading({ discoverable: false })).toBeUndefined()
    expect(readOutputSchema({ outputSchema: null })).toBeUndefined()
    expect(readOutputSchema({})).toBeUndefined()
  })
})
