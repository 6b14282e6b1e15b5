import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PostingLimits, placeFor } from './limits.ts'

const empty: PostingLimits = {
  ...{ ofOwner: 0, mostOfOwner: 2, ofNetwork: 0, mostOfNetwork: 3, inAll: 0, mostInAll: 6, ofFullest: 0 },
}

describe('one more posting', () => {
  test.each([
    ['is free while nothing is full', {}, 'free'],
    ['is not its owner’s who has as many as may be', { ofOwner: 2 }, 'owner'],
    ['is not for a network that has as many as may be', { ofNetwork: 3 }, 'network'],
    ['takes a place of the fullest network when the sum is full', { inAll: 6, ofFullest: 2 }, 'displace'],
    ['takes none where that would only turn the two round', { inAll: 6, ofFullest: 1 }, 'all'],
    ['takes none of its own network', { inAll: 6, ofNetwork: 2, ofFullest: 2 }, 'all'],
  ] as const)('%s', (_what, full, answer) => {
    expect(placeFor({ ...empty, ...full }, false)).toBe(answer)
  })

  test('is limited only per owner, for an owner with a verified listing', () => {
    expect(placeFor({ ...empty, ofNetwork: 3, inAll: 6 }, true)).toBe('free')
    expect(placeFor({ ...empty, ofOwner: 2 }, true)).toBe('owner')
  })
})

test('a network with less than its share always gets a place, whoever holds the others', () => {
  const held = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(held, (others) => {
      const inAll = others.reduce((sum, one) => sum + one, 0)
      const ofFullest = Math.max(...others)
      const answer = placeFor({ ...empty, inAll, mostInAll: inAll, ofFullest }, false)
      expect(answer).toBe(ofFullest > 1 ? 'displace' : 'all')
    }),
  )
})
