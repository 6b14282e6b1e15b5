import { type OutputOf, catalog as operations } from '@callboard/contract'
import { until } from '@callboard/testkit'
import { DAY_MS } from '@callboard/values'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogContext } from '../src/context.ts'
import { sweepReports } from '../src/jobs/sweep-reports.ts'
import { startCatalog, type TestCatalog } from './support/catalog.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog({ SUPPORT_REPORTS_PER_DAY: '10', SUPPORT_REPORT_DAYS: '2' })
})
afterAll(() => catalog.stop())

const report = { kind: 'bug', message: 'Something is wrong.' } as const
const kept = async () => (await catalog.ask(operations.reports, { limit: 200 })).reports

test('201: stores what was written, the day, and when it is deleted', async () => {
  const { id, expiresAt } = await catalog.ask(operations.submitReport, { ...report, code: 'not_found' })
  expect(expiresAt).toBe('2026-11-23T00:00:00.000Z')
  expect(await kept()).toEqual([{ ...report, code: 'not_found', id, day: '2026-11-20', expiresAt }])
  const [row] = await catalog.database.query('select * from catalog.support_report')
  expect(Object.keys(row ?? {}).toSorted()).toEqual(['day', 'expires_at', 'id', 'report'])
})

test('429 rate_limited: concurrent reports beyond the daily limit are not kept, whoever sends them', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => catalog.askAnyway(operations.submitReport, report)),
  )
  const refused = answers.filter((answer) => (answer as { refusal?: string }).refusal === 'rate_limited')
  expect(refused).toHaveLength(11)
  expect(refused[0]).toMatchObject({ retryAfterSeconds: 41_400 })
  expect(await kept()).toHaveLength(10)
})

test('reports are accepted again the next day, and expired ones are deleted', async () => {
  catalog.clock.advance(DAY_MS)
  await catalog.ask(operations.submitReport, report)
  expect(await kept()).toHaveLength(11)
  catalog.clock.advance(2 * DAY_MS)
  const ctx = catalog.services.contexts.get('catalog') as CatalogContext
  const over = new AbortController()
  const sweeping = sweepReports.run(ctx as never, over.signal)
  await until('the first day is gone', async () => (await kept()).length === 1)
  over.abort()
  await sweeping
})

test('every report can be read, however many and long they are: a page ends where an answer is full', async () => {
  await catalog.database.query('delete from catalog.support_report')
  const written = { kind: 'bug', message: '語'.repeat(2_000) }
  await catalog.database.query(
    `insert into catalog.support_report (id, day, expires_at, report)
     select gen_random_uuid(), '2026-12-' || lpad((1 + n % 3)::text, 2, '0'), '2027-01-01', $1 from generate_series(1, 450) n`,
    [JSON.stringify(written)],
  )
  const read: string[] = []
  let after: OutputOf<typeof operations.reports>['next']
  do {
    const page = await catalog.ask(operations.reports, { limit: 200, after })
    read.push(...page.reports.map(({ day, id }) => `${day} ${id}`))
    after = page.next
  } while (after)
  expect(new Set(read).size).toBe(450)
  expect(read.map((place) => place.slice(0, 10))).toEqual(
    read
      .map((place) => place.slice(0, 10))
      .toSorted()
      .toReversed(),
  )
})
