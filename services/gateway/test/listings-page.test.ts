import { type ListingRecord, listings } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { wallet } from '@callboard/testkit'
import { refuse } from '@callboard/values'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Edge, startEdge } from './edge.ts'

const none = { calls: { total: 0, last7d: 0 }, revenue: { amountUsd: '0', last7dUsd: '0' } }
const sums = { ...none, transfers: { total: 0, amountUsd: '0' } }
const listing = (slug: string): ListingRecord => ({
  ...{ slug, name: `The ${slug}`, description: 'Of the sea', category: 'data', status: 'live' },
  ...{ suspendedReason: null, rejection: null, suspension: null, verification: 'none', group: 'added' },
  ...{ provenance: 'self_listed', fee: { bps: 500, label: '5 %' }, operations: [], payoutWallet: wallet(1).address },
  ...{ splitter: null, liveness: { uptime7d: 1, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 1 } },
  ...{ ...sums, shared: sums, createdAt: '2026-11-01T00:00:00Z', listedAt: null, updatedAt: '2026-11-01T00:00:00Z' },
})

/** Two pages of a list, of one listing each. */
const { mine, setStatus, visibility } = listings
const standIn = service({
  name: 'listings',
  config: z.object({}),
  operations: { mine, setStatus, visibility },
  serves: {
    mine: async ({ cursor }) => {
      if (cursor === undefined) return { listings: [listing('first')], nextCursor: 'further' }
      return cursor === 'further' ? { listings: [listing('second')], nextCursor: null } : refuse('invalid_request')
    },
    setStatus: async ({ slug }) => ({
      ...({ ok: true, status: 'suspended', verification: 'none' } as const),
      ...{ slug, warnings: [], listing: listing(slug) },
    }),
    visibility: async () => refuse('not_found'),
  },
})

let edge: Edge
beforeAll(async () => {
  edge = await startEdge(inject('postgresUrl'), { modules: [standIn] })
})
afterAll(() => edge.stop())

test('a listing of a further page is taken offline, and that page is shown again', async () => {
  const cookie = await edge.signIn(1)
  const open = async (query: string) =>
    (await fetch(`${edge.base}/account/listings${query}`, { headers: { cookie } })).text()
  const send = async (html: string, more: Record<string, string> = {}) => {
    const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    )
    const body = new URLSearchParams({ ...Object.fromEntries(fields), suspend: 'second', ...more })
    const headers = { cookie, origin: edge.base }
    return (await fetch(`${edge.base}/account/listings`, { method: 'POST', body, headers })).text()
  }
  expect(await open('')).not.toContain('name="cursor"')
  const further = await open('?cursor=further')
  const after = await send(further)
  expect(after).toContain('“The second” is offline.')
  expect(after).toContain('<code>second</code>')
  expect(after).not.toContain('<code>first</code>')
  const elsewhere = await send(further, { cursor: 'none' })
  expect(elsewhere, 'it was done, whatever the page').toContain('“The second” is offline.')
  expect(elsewhere).toContain('<code>first</code>')
})
