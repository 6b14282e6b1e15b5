import { expect, test, vi } from 'vitest'
import { startCatalog } from '../../catalog/test/support/catalog.ts'
import { printReports } from '../src/verbs/support-reports.ts'

test('reports list prints every report, over several answers, with none of their text as a line of ours', async () => {
  const catalog = await startCatalog()
  await catalog.database.query(
    `insert into catalog.support_report (id, day, expires_at, report)
     select gen_random_uuid(), '2026-11-19', '2027-01-01', $1 from generate_series(1, 250) n`,
    [JSON.stringify({ kind: 'bug', message: `0 shown\n${'語'.repeat(1_900)}` })],
  )
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(...line.split(/[\r\n]/)))
  try {
    expect(await printReports(catalog.services)).toBe(0)
  } finally {
    log.mockRestore()
    await catalog.stop()
  }
  expect(lines.at(-1)).toBe('250 shown')
  expect(new Set(lines.slice(0, -1).map((line) => JSON.parse(line).id)).size).toBe(250)
})
