import { describe, expect, test } from 'vitest'
import { OWNER, THIRD_PARTY } from '../../test/held-listing.ts'
import { claimBeside } from './slug-claim.ts'

const NOW = 1_800_000_000_000
/** 30 days. */
const HELD = 2_592_000_000

const live = { slug: 'quotes', owner: OWNER, name: 'Quotes', listedAt: 1, withdrawnAt: null }
const withdrawn = (agoMs: number) => ({ ...live, withdrawnAt: NOW - agoMs })
const own = { owner: OWNER, name: 'Quotes' }
const others = { owner: THIRD_PARTY, name: 'QUOTES' }
const otherName = { owner: THIRD_PARTY, name: 'Quotès de café' }

const taken = (words: string) => ({ verdict: 'taken', message: expect.stringContaining(words) })

describe('claimBeside', () => {
  test.each([
    ['its owner, who is told what to do with it', own, 'You hold quotes'],
    ['another owner', others, 'Another owner’s listing quotes'],
  ])('default: a name that is in use is refused to %s', (_who, claimant, words) => {
    expect(claimBeside(live, claimant, NOW)).toEqual(taken(words))
    expect(claimBeside({ ...live, listedAt: null }, claimant, NOW)).toEqual(taken(words))
  })

  test('default: next to another name with the same spelling in paths, the next slug is tried', () => {
    expect(claimBeside(live, otherName, NOW)).toEqual({ verdict: 'next' })
    expect(claimBeside(live, { ...otherName, owner: OWNER }, NOW)).toEqual({ verdict: 'next' })
  })

  test.each([own, others, otherName])(
    'behavior: a listing that was withdrawn before it was public frees its slug',
    (claimant) => {
      expect(claimBeside({ ...withdrawn(0), listedAt: null }, claimant, NOW)).toEqual({ verdict: 'replace' })
    },
  )

  test('behavior: a slug that was public is never reused, not even by its owner', () => {
    expect(claimBeside(withdrawn(0), own, NOW)).toEqual({ verdict: 'next' })
    expect(claimBeside(withdrawn(HELD), own, NOW)).toEqual({ verdict: 'next' })
    expect(claimBeside(withdrawn(0), otherName, NOW)).toEqual({ verdict: 'next' })
  })

  test('behavior: a withdrawn name is kept for its owner for 30 days, to the millisecond, and is then free', () => {
    const until = new Date(NOW + 1).toISOString()
    expect(claimBeside(withdrawn(0), others, NOW)).toEqual(taken('quotes withdrew it'))
    expect(claimBeside(withdrawn(HELD - 1), others, NOW)).toEqual(taken(`until ${until}`))
    expect(claimBeside(withdrawn(HELD), others, NOW)).toEqual({ verdict: 'next' })
    expect(claimBeside(withdrawn(HELD + 1), others, NOW)).toEqual({ verdict: 'next' })
  })
})
