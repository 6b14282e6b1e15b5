import { describe, expect, test } from 'vitest'
import { NotThatDocument } from './read.ts'
import { wellKnownDocument } from './well-known.ts'

const AT = new URL('https://a.example/.well-known/x402')
const read = (document: unknown) => wellKnownDocument(JSON.stringify(document), AT)
const resourceOf = (entry: unknown) => read({ resources: [entry] }).resources[0]

describe('wellKnownDocument', () => {
  test('default: an entry is an absolute or relative URL, with or without a method before it', () => {
    expect(resourceOf('/x')).toEqual({ url: 'https://a.example/x', method: undefined, isOwnWord: true })
    expect(resourceOf('get  https://a.example/x')).toMatchObject({ url: 'https://a.example/x', method: 'get' })
    expect(resourceOf('DELETE /x')).toMatchObject({ method: 'DELETE' })
  })

  test.each(['PO /x', 'PROPFIND /x', 'GET /x y', ' GET /x', 'GET /x ', 'G3T /x'])(
    'behavior: %j has no method before its URL',
    (entry) => expect(resourceOf(entry)?.method).toBeUndefined(),
  )

  test('behavior: an object’s own texts are read under either name', () => {
    const accepts = [{ scheme: 'exact' }]
    const words = { method: 'POST', description: 'Rain', accepts }
    const expected = { url: 'https://a.example/x', title: 'X', ...words, isOwnWord: true }
    expect(resourceOf({ url: '/x', resource: '/y', name: 'X', title: 'Y', ...words })).toEqual(expected)
    expect(resourceOf({ resource: '/x', title: 'X', ...words })).toEqual(expected)
  })

  test('behavior: an entry of another origin, or without a URL, is left out and counted', () => {
    const foreign = ['https://b.example/', 'http://a.example/', 'https://', 7, null, {}, { url: 7 }, ['/x']]
    expect(read({ resources: [...foreign, '/x'] })).toMatchObject({
      ...{ resources: [{ url: 'https://a.example/x' }], leftOut: { origin: 8 }, entries: 9 },
    })
    expect(read({ resources: ['/x'] }).leftOut).toEqual({})
  })

  test('behavior: an endless list is read up to 2,000 entries, and a URL up to 4,096 characters', () => {
    const { resources, entries } = read({ resources: new Array(2_001).fill('/x') })
    expect([resources.length, entries]).toEqual([2_000, 2_001])
    const long = `/${'x'.repeat(5_000)}`
    for (const entry of [long, { url: long }])
      expect(resourceOf(entry)?.url).toBe(`https://a.example/${'x'.repeat(4_095)}`)
    expect(resourceOf(`GET ${long}`)?.url).toBe(`https://a.example/${'x'.repeat(4_091)}`)
  })

  test.each([null, [], {}, { resources: {} }, 'resources'])('error: %j is no such document', (document) => {
    expect(() => read(document)).toThrow(NotThatDocument)
  })
})
