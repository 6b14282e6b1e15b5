import { openapiDocument, x402Facilitator } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { crawlerDocument } from './crawler-document.ts'

const path = x402Facilitator.decode.http.path
const whole = openapiDocument({ baseUrl: 'https://callboard.example', version: '1' })
const document = crawlerDocument(whole, path)
const text = JSON.stringify(document)

test('default: holds one path and its tag', () => {
  expect(Object.keys(document.paths as object)).toEqual([path])
  expect(document.tags).toEqual([expect.objectContaining({ name: 'x402-facilitator' })])
})

test('behavior: holds everything that it refers to, and nothing else', () => {
  const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name))
  const held = Object.entries(document.components as Record<string, object>).flatMap(([kind, ofKind]) =>
    Object.keys(ofKind).map((name) => `${kind}/${name}`),
  )
  expect(referred.size).toBeGreaterThan(20)
  expect(held.toSorted()).toEqual([...referred].toSorted())
})

describe('crawlerDocument', () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const heldBy = (item: object, schemas: Record<string, object>) => {
    const { components } = crawlerDocument({ paths: { '/sold': item }, components: { schemas } }, '/sold')
    return Object.keys((components as { schemas?: object }).schemas ?? {})
  }

  test('default: keeps the rest of the document, and drops other paths, tags and components', () => {
    const post = { tags: ['sold', 'dear'], body: to('Sold') }
    const item = { summary: 'Sold', parameters: ['one'], post, get: { summary: 'Of no tag' } }
    const schemas = { Sold: { type: 'object' }, Free: { type: 'object' } }
    const responses = { Sold: { description: 'not referred to' } }
    const tags = [
      { name: 'free' },
      { name: 'dear', description: 'Dear' },
      'sold',
      { description: 'no name' },
      { name: 'sold' },
    ]
    const paths = { '/sold': item, '/free': { get: { tags: ['free'], body: to('Free') } } }
    expect(crawlerDocument({ openapi: '3.1.0', paths, tags, components: { schemas, responses } }, '/sold')).toEqual({
      openapi: '3.1.0',
      paths: { '/sold': item },
      tags: [{ name: 'dear', description: 'Dear' }, { name: 'sold' }],
      components: { schemas: { Sold: { type: 'object' } } },
    })
  })

  test('behavior: keeps components of more than one kind', () => {
    const item = { get: { schema: to('One'), response: { $ref: '#/components/responses/No-1.2' } } }
    const components = { schemas: { One: {}, Two: {} }, responses: { 'No-1.2': { schema: to('Two') } } }
    expect(crawlerDocument({ paths: { '/sold': item }, components }, '/sold').components).toEqual(components)
  })

  test('behavior: components that refer to each other are kept once', () => {
    const ring = { A: { next: to('B') }, B: { anyOf: [{ type: 'null' }, to('A')] }, C: to('A') }
    expect(heldBy({ get: to('A') }, ring)).toEqual(['A', 'B'])
    expect(heldBy({ get: { oneOf: [[to('B')]] } }, ring)).toEqual(['B', 'A'])
  })

  test('behavior: follows other references next to a reference', () => {
    expect(heldBy({ get: { ...to('A'), more: to('B') } }, { A: {}, B: {} })).toEqual(['A', 'B'])
  })

  test('behavior: a reference into a component keeps the whole component', () => {
    expect(heldBy({ get: { $ref: '#/components/schemas/A/properties/b' } }, { A: {}, properties: {} })).toEqual(['A'])
  })

  test.each([
    ['a name that is not there', to('Missing')],
    ['another document', { $ref: 'other.yaml#/components/schemas/A' }],
    ['a property that is called so', { $ref: { type: 'string' } }],
    ['a kind that is not there', { $ref: '#/components/headers/A' }],
    ['nothing', { $ref: '' }],
  ])('behavior: keeps nothing for %s', (_what, reference) => {
    expect(heldBy({ get: reference }, { A: {} })).toEqual([])
  })

  test('behavior: a document without paths, tags or components gets none invented', () => {
    expect(crawlerDocument({ openapi: '3.1.0' }, '/sold')).toEqual({
      openapi: '3.1.0',
      paths: { '/sold': undefined },
      components: {},
    })
    expect(crawlerDocument({ paths: { '/sold': {} }, components: 'none', tags: 'none' }, '/sold')).toEqual({
      paths: { '/sold': {} },
      components: {},
    })
  })
})
