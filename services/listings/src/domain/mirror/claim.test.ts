import { describe, expect, test } from 'vitest'
import { claimedResource } from './claim.ts'

const url = 'https://a.example/x'
const claimed = (told: object) => {
  const claim = claimedResource({ url, ...told })
  if (typeof claim === 'string') throw new Error(claim)
  return claim
}

describe('claimedResource', () => {
  test('default: what a source says, as text', () => {
    const accepts = [{ scheme: 'exact', network: 'base', asset: '0x1', maxAmountRequired: '10', payTo: '0x2' }]
    expect(claimed({ method: 'post', title: 'Weather', description: 'Rain?', tags: ['AI'], accepts })).toEqual({
      ...{ method: 'POST', url, title: 'Weather', description: 'Rain?', category: 'ai' },
      offers: [{ scheme: 'exact', network: 'base', asset: '0x1', amount: '10', payTo: '0x2' }],
    })
  })

  test('behavior: without a name it is called by where it is, and its method is GET', () => {
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
  ])('behavior: a title of %s', (_what, title, shown) => expect(claimed({ title }).title).toBe(shown))

  test('behavior: a schema that leads out of its document is not kept, one within it is', () => {
    const within = { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } }
    expect(claimed({ inputSchema: within }).inputSchema).toEqual(within)
    for (const $ref of ['http://169.254.169.254/', 'file:///etc/passwd', 'other.json#/a']) {
      expect(claimed({ inputSchema: { properties: { a: { $ref } } } }).inputSchema).toBeUndefined()
    }
    expect(claimed({ inputSchema: { title: 'x'.repeat(9_000) } }).inputSchema).toBeUndefined()
    expect(claimed({ inputSchema: { title: '\u0000' } }).inputSchema).toBeUndefined()
  })

  test('behavior: eight ways to pay at most, and none that is no object', () => {
    expect(claimed({ accepts: [null, 'x', ...Array.from({ length: 20 }, () => ({ amount: 1 }))] }).offers).toHaveLength(
      6,
    )
    expect(claimed({ accepts: {} }).offers).toEqual([])
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 1, {}])(
    'error: no resource of a third party is called by %s unasked',
    (method) => {
      expect(claimedResource({ url, method })).toBe('method')
    },
  )

  test('behavior: a query is kept of the origin’s own document alone', () => {
    const asked = { url: `${url}?to=0x1` }
    expect(claimed(asked).url).toBe(url)
    expect(claimed({ ...asked, isOwnWord: true }).url).toBe(asked.url)
  })

  test('error: what is no URL', () => expect(claimedResource({ url: 'ftp://a.example/' })).toBe('url'))
})
