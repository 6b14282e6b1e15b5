import { describe, expect, test } from 'vitest'
import { withinSums } from './probe-sums.ts'

const SUMS = { inAll: 100, perOrigin: 100, perPayee: 100 }
const due = (n: number, origin = `https://${n}.example`, payees = [`payee ${n}`]) => ({
  url: `${origin}/${n}`,
  origin,
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
    const asked = [{ origin: 'https://before.example', payTo: 'before' }]
    expect(withinSums(many(10, due), asked, { ...SUMS, inAll: 4 })).toHaveLength(3)
  })

  test('behavior: limits one origin, regardless of which payee is paid there', () => {
    const all = [...many(10, (n) => due(n, 'https://one.example')), due(11)]
    const asked = [{ origin: 'https://one.example', payTo: 'before' }]
    expect(urls(withinSums(all, asked, { ...SUMS, perOrigin: 3 }))).toEqual([
      'https://one.example/0',
      'https://one.example/1',
      'https://11.example/11',
    ])
  })

  test('behavior: limits one payee, regardless of the origin', () => {
    const all = [...many(10, (n) => due(n, undefined, ['one'])), due(11)]
    expect(withinSums(all, [], { ...SUMS, perPayee: 2 })).toHaveLength(3)
  })

  test('behavior: a payee over its quota does not hold up a URL under which another payee was paid', () => {
    const asked = [{ origin: 'https://before.example', payTo: 'attacker' }]
    const all = [due(1, undefined, ['attacker', 'seller'])]
    expect(withinSums(all, asked, { ...SUMS, perPayee: 1 })).toEqual([{ probe: all[0], payTo: 'seller' }])
  })

  test('behavior: a quota allows exactly its number, and one that is already used up allows none', () => {
    const asked = [{ origin: 'https://before.example', payTo: 'before' }]
    expect(withinSums(many(3, due), asked, { ...SUMS, inAll: 1 })).toEqual([])
    const ofPayee = [due(1, undefined, ['before']), due(2, undefined, ['before'])]
    expect(urls(withinSums(ofPayee, asked, { ...SUMS, perPayee: 2 }))).toEqual(['https://1.example/1'])
    const ofOrigin = [due(1, 'https://before.example'), due(2, 'https://before.example')]
    expect(urls(withinSums(ofOrigin, asked, { ...SUMS, perOrigin: 2 }))).toEqual(['https://before.example/1'])
  })

  test('behavior: a probe that is not allowed uses up no quota', () => {
    const asked = [{ origin: 'https://full.example', payTo: 'before' }]
    const all = [due(1, 'https://full.example', ['seller']), due(2, undefined, ['seller'])]
    expect(urls(withinSums(all, asked, { inAll: 2, perOrigin: 1, perPayee: 1 }))).toEqual(['https://2.example/2'])
  })

  test('behavior: a URL under which no payee was paid is not probed', () => {
    expect(withinSums([due(1, undefined, [])], [], SUMS)).toEqual([])
  })
})
