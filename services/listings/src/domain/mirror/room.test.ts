import { describe, expect, test } from 'vitest'
import type { ClaimedResource } from './mirrored.ts'
import { type Candidate, withinRoom } from './room.ts'

const candidate = (url: string, more: Partial<Candidate> = {}): Candidate => ({
  claim: { method: 'GET', url, title: url, description: '', category: 'data', offers: [] } satisfies ClaimedResource,
  ...{ site: new URL(url).hostname, isOurs: false, isListed: false },
  ...more,
})
const [a, b, c] = ['https://a.example/', 'https://b.example/', 'https://c.example/'].map((url) => candidate(url)) as [
  Candidate,
  Candidate,
  Candidate,
]
const room = { perSite: 2, perSource: 3, inAll: 4 }
const nothing = { onSites: new Map<string, number>(), ofSource: 0, inAll: 0 }

describe('withinRoom', () => {
  test('default: all of them, in their order', () => {
    expect(withinRoom([a, b], room, nothing)).toEqual({ taken: [a.claim, b.claim], notTaken: {} })
  })

  test('behavior: what is held already takes room, and what is taken before', () => {
    expect(withinRoom([a, a, a], room, nothing)).toMatchObject({ taken: [{}, {}], notTaken: { site_full: 1 } })
    expect(withinRoom([a, b], room, { ...nothing, onSites: new Map([['a.example', 2]]) })).toEqual({
      ...{ taken: [b.claim], notTaken: { site_full: 1 } },
    })
    expect(withinRoom([a, b, c], room, { ...nothing, ofSource: 1 })).toEqual({
      ...{ taken: [a.claim, b.claim], notTaken: { source_full: 1 } },
    })
    expect(withinRoom([a, b], room, { ...nothing, inAll: 3 })).toEqual({
      taken: [a.claim],
      notTaken: { mirror_full: 1 },
    })
  })

  test('behavior: what is ours or listed takes no room', () => {
    const [ours, listed] = [
      candidate('https://a.example/1', { isOurs: true }),
      candidate('https://a.example/2', { isListed: true }),
    ]
    expect(withinRoom([ours, listed, ours, a, a], room, nothing)).toEqual({
      ...{ taken: [a.claim, a.claim], notTaken: { ours: 2, listed: 1 } },
    })
  })
})
