import { describe, expect, test } from 'vitest'
import { withinSums } from './probe-sums.ts'

const SUMS = { inAll: 100, perSite: 100, perPayee: 100 }
const due = (n: number, site = `${n}.example`, payees = [`payee ${n}`]) => ({
  url: `https://${site}/${n}`,
  site,
  payees,
})
const many = (count: number, of: (n: number) => ReturnType<typeof due>) =>
  Array.from({ length: count }, (_, n) => of(n))
const urls = (granted: ReturnType<typeof withinSums>) => granted.map(({ probe }) => probe.url)

describe('withinSums', () => {
  test('default: everything that is due, in order', () => {
    const all = many(3, due)
    expect(urls(withinSums(all, [], SUMS))).toEqual(all.map(({ url }) => url))
  })

  test('behavior: limits the total, including the probes of the past hour', () => {
    const asked = [{ site: 'before.example', payTo: 'before' }]
    expect(withinSums(many(10, due), asked, { ...SUMS, inAll: 4 })).toHaveLength(3)
  })

  test('behavior: limits one site, regardless of which payee is paid there', () => {
    const all = [...many(10, (n) => due(n, 'one.example')), due(11)]
    const asked = [{ site: 'one.example', payTo: 'before' }]
    expect(urls(withinSums(all, asked, { ...SUMS, perSite: 3 }))).toEqual([
      'https://one.example/0',
      'https://one.example/1',
      'https://11.example/11',
    ])
  })

  test('behavior: limits one payee, regardless of the site', () => {
    const all = [...many(10, (n) => due(n, undefined, ['one'])), due(11)]
    expect(withinSums(all, [], { ...SUMS, perPayee: 2 })).toHaveLength(3)
  })

  test('behavior: a payee over its quota does not hold up a URL under which another payee was paid', () => {
    const asked = [{ site: 'before.example', payTo: 'attacker' }]
    const all = [due(1, undefined, ['attacker', 'seller'])]
    expect(withinSums(all, asked, { ...SUMS, perPayee: 1 })).toEqual([{ probe: all[0], payTo: 'seller' }])
  })

  test('behavior: a quota allows exactly its number, and one that is already used up allows none', () => {
    const asked = [{ site: 'before.example', payTo: 'before' }]
    expect(withinSums(many(3, due), asked, { ...SUMS, inAll: 1 })).toEqual([])
    const ofPayee = [due(1, undefined, ['before']), due(2, undefined, ['before'])]
    expect(urls(withinSums(ofPayee, asked, { ...SUMS, perPayee: 2 }))).toEqual(['https://1.example/1'])
    const ofSite = [due(1, 'before.example'), due(2, 'before.example')]
    expect(urls(withinSums(ofSite, asked, { ...SUMS, perSite: 2 }))).toEqual(['https://before.example/1'])
  })

  test('behavior: a probe that is not allowed uses up no quota', () => {
    const asked = [{ site: 'full.example', payTo: 'before' }]
    const all = [due(1, 'full.example', ['seller']), due(2, undefined, ['seller'])]
    expect(urls(withinSums(all, asked, { inAll: 2, perSite: 1, perPayee: 1 }))).toEqual(['https://2.example/2'])
  })

  test('behavior: a URL under which no payee was paid is not probed', () => {
    expect(withinSums([due(1, undefined, [])], [], SUMS)).toEqual([])
  })
})
