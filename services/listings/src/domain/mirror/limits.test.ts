import { describe, expect, test } from 'vitest'
import { type Candidate, withinLimits } from './limits.ts'
import type { ClaimedResource } from './mirrored.ts'

const candidate = (url: string, more: Partial<Candidate> = {}): Candidate => ({
  claim: { method: 'GET', url, title: url, description: '', category: 'data', offers: [] } satisfies ClaimedResource,
  ...{ site: new URL(url).hostname, isOurs: false, isListed: false, isRejected: false },
  ...more,
})
const [a, b, c] = ['https://a.example/', 'https://b.example/', 'https://c.example/'].map((url) => candidate(url)) as [
  Candidate,
  Candidate,
  Candidate,
]
const limits = { perSite: 2, perSource: 3, inAll: 4 }
const nothing = { onSites: new Map<string, number>(), ofSource: 0, inAll: 0 }

describe('withinLimits', () => {
  test('default: takes all of them, in their order', () => {
    expect(withinLimits([a, b], limits, nothing)).toEqual({ taken: [a.claim, b.claim], notTaken: {} })
  })

  test('behavior: counts what is already held, and what was taken before', () => {
    expect(withinLimits([a, a, a], limits, nothing)).toMatchObject({ taken: [{}, {}], notTaken: { site_full: 1 } })
    expect(withinLimits([a, b], limits, { ...nothing, onSites: new Map([['a.example', 2]]) })).toEqual({
      ...{ taken: [b.claim], notTaken: { site_full: 1 } },
    })
    expect(withinLimits([a, b, c], limits, { ...nothing, ofSource: 1 })).toEqual({
      ...{ taken: [a.claim, b.claim], notTaken: { source_full: 1 } },
    })
    expect(withinLimits([a, b], limits, { ...nothing, inAll: 3 })).toEqual({
      taken: [a.claim],
      notTaken: { mirror_full: 1 },
    })
  })

  test('behavior: resources that are ours or already listed count against no limit', () => {
    const [ours, listed] = [
      candidate('https://a.example/1', { isOurs: true }),
      candidate('https://a.example/2', { isListed: true }),
    ]
    expect(withinLimits([ours, listed, ours, a, a], limits, nothing)).toEqual({
      ...{ taken: [a.claim, a.claim], notTaken: { ours: 2, listed: 1 } },
    })
  })
})
