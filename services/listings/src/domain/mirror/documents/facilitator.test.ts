import { describe, expect, test } from 'vitest'
import { facilitatorPage } from './facilitator.ts'
import { NotThatDocument } from './read.ts'

const read = (document: unknown) => facilitatorPage(JSON.stringify(document))
const resourceOf = (item: object) => read({ items: [{ resource: 'https://b.example/x', ...item }] }).resources[0]

describe('facilitatorPage', () => {
  test('default: returns the entries, their number, and the total over all pages', () => {
    const items = [{ resource: 'https://b.example/1', type: 'http' }, { resource: 'https://b.example/2' }]
    expect(read({ items, pagination: { total: 0 } })).toMatchObject({
      resources: [{ url: 'https://b.example/1' }, { url: 'https://b.example/2' }],
      ...{ leftOut: {}, entries: 2, total: 0 },
    })
  })

  test('behavior: values that are not objects, and tools of MCP servers, are left out and counted', () => {
    const page = read({ items: [7, null, { type: 'mcp' }, { type: 'http' }] })
    expect(page).toMatchObject({ leftOut: { url: 2, type: 1 }, entries: 4 })
    expect(page.resources).toHaveLength(1)
    expect(read({ items: [{ type: 'mcp' }] }).leftOut).toEqual({ type: 1 })
    expect(read({ items: [7] }).leftOut).toEqual({ url: 1 })
  })

  test.each(['serviceName', 'name'])('behavior: its title is taken from %s', (name) => {
    expect(resourceOf({ [name]: 'One' })?.title).toBe('One')
  })

  test('behavior: a text is read from the entry, else from its metadata, else from its first way to pay', () => {
    const [first, second] = [{ description: 'of the offer', name: 'Offer' }, { description: 'of the second' }]
    const metadata = { description: 'of the metadata', tags: ['ai'] }
    expect(resourceOf({ description: 'of the entry', metadata, accepts: [first] })?.description).toBe('of the entry')
    expect(resourceOf({ metadata, accepts: [first] })).toMatchObject({
      ...{ description: 'of the metadata', title: 'Offer', tags: ['ai'], accepts: [first] },
    })
    expect(resourceOf({ accepts: [first, second] })?.description).toBe('of the offer')
    expect(resourceOf({ accepts: 'none', metadata: 'none' })).toMatchObject({ description: undefined })
    expect(resourceOf({ serviceName: 'Service', name: 'Name', tags: 'a', category: 'b' })).toMatchObject({
      ...{ title: 'Service', tags: 'a' },
    })
  })

  test('behavior: the method is what bazaar says, else its output schema, else the entry', () => {
    const bazaar = (method: string) => ({ bazaar: { info: { input: { type: 'http', method } } } })
    const outputSchema = { input: { type: 'http', method: 'PUT' } }
    const accepts = [{ outputSchema }]
    expect(resourceOf({ extensions: bazaar('DELETE'), accepts, method: 'POST' })?.method).toBe('DELETE')
    expect(resourceOf({ accepts, method: 'POST' })?.method).toBe('PUT')
    expect(resourceOf({ method: 'POST', extensions: 'none' })?.method).toBe('POST')
    expect(resourceOf({})?.method).toBeUndefined()
  })

  test('behavior: of an endless page 1,000 entries are read', () => {
    const { resources, entries } = read({ items: new Array(1_001).fill({ resource: 'https://b.example/x' }) })
    expect([resources.length, entries]).toEqual([1_000, 1_001])
  })

  test.each([[null], [[]], [{}], [{ items: {} }]])('error: %j is no page of a facilitator', (document) => {
    expect(() => read(document)).toThrow(NotThatDocument)
  })
})
