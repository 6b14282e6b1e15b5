import { randomUUID } from 'node:crypto'
import { runOnce } from '@callboard/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expireHolds } from '../src/jobs/expire-holds.ts'
import { afterRestore } from '../src/restore/after-restore.ts'
import { settle } from '../src/store/hold.repository.ts'
import { keyByHash } from '../src/store/key.repository.ts'
import { ledgerFaults } from '../src/store/ledger.repository.ts'
import { receiptsAfter } from '../src/store/receipt.repository.ts'
import { bought, costing, holdFor, later, routerStore, someOwner, storedKey } from './router-store.ts'

let router: Awaited<ReturnType<typeof routerStore>>
beforeAll(async () => {
  router = await routerStore(inject('postgresUrl'))
})
afterAll(() => router?.close())

test.each(['compute', 'balance'] as const)(
  'after a restore, the calls that were under way are free, and no receipt contradicts one of the lost time: %s',
  async (source) => {
    const key = await storedKey(router.db, someOwner(), { source })
    await bought(router.db, key.owner, 1_000n)
    const [first, second] = [randomUUID(), randomUUID()]
    for (const callId of [first, second]) await holdFor(router.db, key, 10n, { callId })
    await settle(router.db, first, costing(4n))
    const context = { db: router.db, clock: { now: () => later(3_600_000).getTime() } }
    await afterRestore(context as never, { dryRun: false } as never)
    await runOnce(expireHolds, context as never)
    const receipts = await receiptsAfter(router.db, { keyId: key.id }, { after: 0, limit: 10 })
    expect(receipts.map(({ text }) => JSON.parse(text))).toMatchObject([{ id: first, seq: 1 }])
    expect(await keyByHash(router.db, key.hash)).toBeUndefined()
    expect(await router.database.query(`select 1 from router.call where state = 'held'`)).toEqual([])
    expect(await ledgerFaults(router.db)).toEqual([])
  },
)
