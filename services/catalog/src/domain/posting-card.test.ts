import type { PostingSnapshot } from '@callboard/contract'
import { describe, expect, test } from 'vitest'
import { postingItem } from './posting-card.ts'

const [USDC, EURC] = [
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '0x0000000000000000000000000000000000000009',
] as const
const [BASE, ARC] = ['eip155:8453', 'eip155:5042'] as const

const posting: PostingSnapshot = {
  id: 'posting_0b0f4a52-6f0b-4b5e-9a57-1d0b2f5a7c11',
  version: 3,
  kind: 'service_offer',
  title: 'Translation',
  description: 'By hand',
  category: 'data',
  amountUsd: '250',
  accepts: [
    { network: BASE, asset: USDC },
    { network: ARC, asset: EURC },
  ],
  contactUrl: 'https://poster.example/contact',
  status: 'open',
  postedBy: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  hasVerifiedListing: false,
  createdAt: '2026-11-20T12:30:00.000Z',
  updatedAt: '2026-11-20T12:30:00.000Z',
  expiresAt: '2026-11-21T12:30:00.000Z',
}

describe('the card', () => {
  test('says that the price and the network are claimed, and who posted', () => {
    const { card } = postingItem(posting)
    expect(card).toEqual({
      title: 'Translation',
      summary: 'By hand',
      byline: 'poster.example, posted by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      badges: [{ code: 'claimed', label: 'The poster’s word' }],
      facts: [
        { label: 'price', value: '$250 (claimed)' },
        { label: 'network', value: 'eip155:8453 (claimed)' },
        { label: 'posted by', value: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
        { label: 'expires', value: '2026-11-21T12:30:00.000Z' },
      ],
    })
  })

  test('shows a budget for a request, and a badge for a verified listing of its poster', () => {
    const { card, kind } = postingItem({ ...posting, kind: 'open_request', hasVerifiedListing: true })
    expect([kind, card.facts[0]?.label, card.badges.map(({ code }) => code)]).toEqual([
      ...['open_request', 'budget', ['claimed', 'verified_listing']],
    ])
  })

  test('shows nothing as payable, reviewed or with a fee, whatever its poster is', () => {
    expect(postingItem({ ...posting, hasVerifiedListing: true })).toMatchObject({
      group: 'added',
      provenance: 'self_listed',
      fee: { bps: 0, label: 'no network fee' },
      verification: 'none',
      execution: { mode: 'unavailable', method: 'GET', url: 'https://poster.example/contact', payable: false },
      action: { type: 'view_posting', href: `/api/call/postings/${posting.id}` },
    })
  })

  test('shows a contact without a host as it is, and fails for a posting without an asset', () => {
    expect(postingItem({ ...posting, contactUrl: 'poster' }).card.byline).toMatch(/^poster, posted by 0x/)
    expect(() => postingItem({ ...posting, accepts: [] })).toThrow(`Posting ${posting.id} names no asset`)
  })

  test('shows the requested network', () => {
    expect(postingItem(posting, { network: ARC }).execution.network).toBe(ARC)
    expect(postingItem(posting, { asset: EURC }).execution.network).toBe(ARC)
  })
})
