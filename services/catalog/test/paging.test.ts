import { listingChanged, catalog as operations, probeCompleted } from '@callboard/contract'
import { isoTime, MINUTE_MS } from '@callboard/values'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { probe, snapshot } from './support/facts.ts'
import { plainResults, plainTiers } from './support/plain-relevance.ts'

const WORDS = ['delphi', 'delphine', 'maps', 'lotus', 'deep']
const GROUPS = ['svc', 'added', 'partner', 'external'] as const
const LISTINGS = 120

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
  // Few words, groups, uptimes and times, so that every column of the order has ties.
  const drawn = fc.sample(
    fc.record({
      name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
      description: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
      group: fc.constantFrom(...GROUPS),
      verification: fc.constantFrom('none' as const, 'verified' as const),
      uptime7d: fc.constantFrom(0.5, 1),
      quarter: fc.integer({ min: 0, max: 3 }),
    }),
    { seed: 7, numRuns: LISTINGS },
  )
  for (const [index, { name, description, group, verification, uptime7d, quarter }] of drawn.entries()) {
    const slug = `listing-${(index * 37) % LISTINGS}`
    rows.push({
      slug,
      name,
      more: description,
      isVerified: verification === 'verified',
      groupRank: GROUPS.indexOf(group),
      order: [GROUPS.indexOf(group), verification === 'verified' ? 0 : 1, -uptime7d, quarter],
    })
    const text = { name: name.join(' '), description: description.join(' ') }
    await catalog.deliver(listingChanged, snapshot(slug, { ...text, group, verification }))
    const checkedAt = isoTime(NOW - quarter * 15 * MINUTE_MS)
    const liveness = { uptime7d, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 100 }
    await catalog.deliver(probeCompleted, probe(slug, { checkedAt, liveness }))
  }
})
afterAll(() => catalog.stop())

interface Row {
  slug: string
  name: readonly string[]
  more: readonly string[]
  isVerified: boolean
  groupRank: number
  /** Group, then the parts of trust, then quarter hours: each falls in the order of the directory. */
  order: [number, number, number, number]
}
const rows: Row[] = []

/** The whole answer by the documented rule of relevance and a sort. */
function expected(q: readonly string[], includeUnverified: boolean): string[] {
  const clauses = q.length === 0 ? [] : [{ phrases: [], excluded: [], words: q, endsInPrefix: true }]
  const tiers = plainTiers(rows, clauses)
  if (q.length > 0) for (const row of rows) if (row.name.join(' ') === q.join(' ')) tiers.set(row, 0)
  const isShown = ({ groupRank, isVerified }: Row) =>
    groupRank === 0 || groupRank === 3 || isVerified || includeUnverified
  const key = ({ one, tier, isRest }: { one: Row; tier: number; isRest: boolean }) => [
    ...[Number(isRest), one.groupRank, tier],
    ...one.order.slice(1),
  ]
  return plainResults(tiers, isShown, ({ groupRank, isVerified }) => groupRank === 0 || isVerified)
    .sort((a, b) => {
      const [one, other] = [key(a), key(b)]
      const difference = one.map((part, index) => part - (other[index] ?? 0)).find((part) => part !== 0)
      return difference ?? (a.one.slug < b.one.slug ? -1 : 1)
    })
    .map(({ one }) => one.slug)
}

test('pages of any size hold every row of a stable catalogue once, in the order of a plain sort', async () => {
  const query = fc.record({
    words: fc.array(fc.constantFrom(...WORDS, 'lot', 'lo4us'), { maxLength: 2 }),
    includeUnverified: fc.boolean(),
    limits: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(query, async ({ words, includeUnverified, limits }) => {
      const q = words.length === 0 ? undefined : words.join(' ')
      const refs: string[] = []
      let cursor: string | undefined
      for (let pages = 0; pages === 0 || cursor; pages += 1) {
        const answer = await catalog.ask(operations.discovery, {
          q,
          cursor,
          includeUnverified: includeUnverified ? 'true' : 'false',
          limit: String(limits[pages % limits.length]),
        })
        refs.push(...answer.items.map(({ ref }) => ref))
        cursor = answer.nextCursor ?? undefined
      }
      expect(refs).toEqual(expected(words, includeUnverified))
    }),
    { numRuns: 60 },
  )
})
