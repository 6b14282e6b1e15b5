import { catalog } from '@callboard/catalog'
import { startTestServices, testDatabase } from '@callboard/testkit'
import { expect, inject, test, vi } from 'vitest'
import { printPayment } from '../src/verbs/payment.ts'

const HASH = `0x${'0'.repeat(64)}`

/** What is printed about an unknown transaction where only the catalog has its tables. */
async function said(): Promise<string> {
  const database = await testDatabase(inject('postgresUrl'))
  const printed: string[] = []
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of spies) spy.mockImplementation((line: string) => void printed.push(line))
  try {
    const env = { LINK_SIGNING_KEY: '7'.repeat(64) }
    await (await startTestServices([catalog], { databaseUrl: database.url, env })).stop()
    expect(await printPayment({ DATABASE_URL: database.url }, HASH)).toBe(1)
  } finally {
    for (const spy of spies) spy.mockRestore()
    await database.drop()
  }
  return printed.join('\n')
}

test('a payment that may be in tables which this user cannot read is not called unknown', async () => {
  const text = await said()
  expect(text).toContain('not read, because this user of Postgres may not or they are not there: x402-facilitator')
  expect(text).toContain(`${HASH}: nothing that was read has this key, hash or request id; the rest may`)
  expect(text).not.toContain('no payment and no observed settlement')
})
