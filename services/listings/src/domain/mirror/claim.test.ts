import { describe, expect, test } from 'vitest'
import { claimedResource, placeOf } from './claim.ts'

const url = 'https://a.example/x'
const claimed = (told: object) => {
  const claim = claimedResource({ url, ...told })
  if (typeof claim === 'string') throw new Error(claim)
  return claim
}

describe('claimedResource', () => {
  test('default: returns what a source says, as text', () => {
    const accepts = [{ scheme: 'exact', network: 'base', asset: '0x1', maxAmountRequired: '10', payTo: '0x2' }]
    expect(claimed({ method: 'post', title: 'Weather', description: 'Rain?', tags: ['AI'], accepts })).toEqual({
      ...{ method: 'POST', url, title: 'Weather', description: 'Rain?', category: 'ai' },
      offers: [{ scheme: 'exact', network: 'base', asset: '0x1', amount: '10', payTo: '0x2' }],
    })
  })

  test('behavior: without a name its title is its location, and its method is GET', () => {
    expect(claimed({})).toMatchObject({
      method: 'GET',
      title: 'a.example/x',
      description: '',
      category: 'data',
      offers: [],
    })
  })

  test.each([
    ['a right-to-left override', 'a\u202eb', 'ab'],
    ['control characters and line breaks', 'a\u0000\u001b\nb', 'a b'],
    ['invisible characters', 'a\u200bb', 'ab'],
    ['half of a surrogate pair', 'a\ud800', 'a\ufffd'],
    ['markup, which is shown as it is written', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a megabyte', 'x'.repeat(1_000_000), 'x'.repeat(80)],
    ['our name', 'Cal1board official', 'a.example/x'],
    ['nothing that shows', '\u200b\u202e', 'a.example/x'],
    ['no text', { toString: 1 }, 'a.example/x'],
  ])('behavior: cleans a title with %s', (_what, title, shown) => expect(claimed({ title }).title).toBe(shown))

  test('behavior: a schema that refers outside its document is dropped, one that refers within it is kept', () => {
    const within = { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }
    expect(claimed({ inputSchema: within }).inputSchema).toEqual(within)
    for (const $ref of ['http://169.254.169.254/', 'file:///etc/passwd', 'other.json#/a']) {
      expect(claimed({ inputSchema: { properties: { a: { $ref } } } }).inputSchema).toBeUndefined()
    }
    expect(claimed({ inputSchema: { title: 'x'.repeat(9_000) } }).inputSchema).toBeUndefined()
    expect(claimed({ inputSchema: { title: '\u0000' } }).inputSchema).toBeUndefined()
  })

  test('behavior: at most eight ways to pay are kept, and only objects', () => {
    expect(claimed({ accepts: [null, 'x', ...Array.from({ length: 20 }, () => ({ amount: 1 }))] }).offers).toHaveLength(
      6,
    )
    expect(claimed({ accepts: {} }).offers).toEqual([])
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 1, {}])(
    'error: a resource of a third party with method %s is refused',
    (method) => {
      expect(claimedResource({ url, method })).toBe('method')
    },
  )

  test('behavior: the method is in upper case, and defaults to GET', () => {
    expect([undefined, null, 'get', 'Post'].map((method) => claimed({ method }).method)).toEqual([
      ...['GET', 'GET', 'GET', 'POST'],
    ])
  })

  test('behavior: texts are one trimmed line, cut to the length that is shown', () => {
    expect(claimed({ description: '  a\t\r\n\u2028b  ' }).description).toBe('a b')
    expect(claimed({ description: 'x'.repeat(501) }).description).toBe('x'.repeat(500))
    expect(claimed({ description: `${'x'.repeat(499)} y` }).description).toBe('x'.repeat(499))
    expect(claimed({ description: ['a'] }).description).toBe('')
    expect(claimed({ description: `${' '.repeat(3_000)}a`, title: '\u200b'.repeat(400) }).title).toBe('a.example/x')
  })

  test.each([
    ['a tag', 'AI', 'ai'],
    ['the first of its tags that is one', ['weather', 7, null, 'Crypto', 'ai'], 'crypto'],
    ['none', ['weather'], 'data'],
    ['a tag behind 31 others', [...new Array(31).fill('x'), 'ai'], 'ai'],
    ['a tag behind 32 others', [...new Array(32).fill('x'), 'ai'], 'data'],
  ])('behavior: its category is set by %s', (_what, tags, category) =>
    expect(claimed({ tags }).category).toBe(category),
  )

  test('behavior: an amount is read under the name of either version, and each text of a way to pay is cut', () => {
    const offer = (entry: object) => claimed({ accepts: [entry] }).offers[0]
    expect(offer({ amount: '5', maxAmountRequired: '6' })?.amount).toBe('5')
    expect(offer({ amount: '', maxAmountRequired: '6' })?.amount).toBe('6')
    const long = 'x'.repeat(129)
    expect(offer({ scheme: long, network: long, asset: long, payTo: long, amount: 7 })).toEqual({
      ...{ scheme: long.slice(1), network: long.slice(1), asset: long.slice(1), payTo: long.slice(1), amount: '' },
    })
  })

  test('behavior: a schema is kept up to 8 KiB, if jsonb can store it', () => {
    const schema = (characters: number) => ({ title: 'x'.repeat(characters - '{"title":""}'.length) })
    expect(claimed({ inputSchema: schema(8_192) }).inputSchema).toEqual(schema(8_192))
    const odd = [schema(8_193), { a: '\ud800' }, { a: '\udfff' }, [], 'schema', null]
    for (const inputSchema of odd) expect(claimed({ inputSchema })).not.toHaveProperty('inputSchema')
    expect(claimed({ inputSchema: { a: '\u0001é😀' } }).inputSchema).toEqual({ a: '\u0001é😀' })
  })

  test('placeOf: returns host and path, in up to 80 characters', () => {
    expect(placeOf('https://a.example:8443/x?q=1')).toBe('a.example:8443/x')
    expect(placeOf(`https://a.example/${'x'.repeat(100)}`)).toHaveLength(80)
  })

  test('behavior: a query is kept only from the origin’s own document', () => {
    const asked = { url: `${url}?to=0x1` }
    expect(claimed(asked).url).toBe(url)
    expect(claimed({ ...asked, isOwnWord: true }).url).toBe(asked.url)
  })

  test('error: a text that is not a web URL is refused', () =>
    expect(claimedResource({ url: 'ftp://a.example/' })).toBe('url'))
})
