import { router } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { newOwner, visitorOf } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import { bought } from '../../models/sold.ts'
import { paidFor, unitsOf } from '../../models/spending.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/router/usage'

export const usage: Register = (target) => {
  test('a new owner has unspent Compute until midnight UTC, no balance and no usage', async () => {
    const { session } = await newOwner(target())
    const { epoch, compute, balance, totals, usage: rows } = accepted(router.usage, await session.get(PATH))
    expect(epoch).toBeGreaterThan(0)
    expect(compute).toMatchObject({ spentUsd: '0', heldUsd: '0', remainingUsd: compute.limitUsd })
    expect(compute.resetsAt).toMatch(/T00:00:00(\.000)?Z$/)
    expect(Date.parse(compute.resetsAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(balance).toBeNull()
    expect(rows).toEqual([])
    const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: '0', estimatedUsd: '0', estimatedShare: 0 }
    expect(totals).toEqual({ epoch: nothing, compute: nothing, balance: nothing })
  })

  bought(target, 'chat', 'a call counts with its day, model, key and cost', async (model, { owner, key }) => {
    const ofKey = async () => {
      const { balance, totals, usage: rows } = accepted(router.usage, await owner.session.get(PATH))
      const row = rows.find(({ keyId, model: of }) => keyId === key.id && of === model.id)
      return { balance, totals, row }
    }
    const before = (await ofKey()).row?.calls ?? 0
    const body = { model: model.id, messages: [{ role: 'user', content: 'Name a city.' }], max_tokens: 16 }
    await paidFor(key.bearer, () => key.bearer.post('/v1/chat/completions', body))
    const { balance, totals, row } = await ofKey()
    if (!row || !balance) expect.fail('The call does not show')
    expect(row).toMatchObject({ calls: before + 1, source: 'balance' })
    expect(totals.balance.calls).toBeGreaterThanOrEqual(row.calls)
    expect(unitsOf(totals.balance.costUsd)).toBe(unitsOf(balance.spentUsd))
    expect(totals.compute).toMatchObject({ calls: 0, costUsd: '0' })
    expect(row.estimatedShare > 0).toBe(row.estimatedUsd !== '0')
    expect(row.day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(row.inputTokens).toBeGreaterThan(0)
    expect(row.outputTokens).toBeGreaterThan(0)
    expect(unitsOf(row.costUsd)).toBeGreaterThan(0n)
    expect(unitsOf(balance.spentUsd)).toBeGreaterThanOrEqual(unitsOf(row.costUsd))
    expect(unitsOf(balance.remainingUsd)).toBe(unitsOf(balance.purchasedUsd) - unitsOf(balance.spentUsd))
  })

  test('401 unauthorized: without a session, also with an API key', async () => {
    const { api } = await visitorOf(target())
    for (const client of [new Client(target().baseUrl), api]) {
      refused(router.usage, await client.get(PATH), 401, 'unauthorized')
    }
  })
}
