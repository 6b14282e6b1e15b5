import { router } from '@callboard/contract'
import { baseUnits } from '@callboard/values'
import { expect } from 'vitest'
import type { Answer, Client } from '../actors/client.ts'
import { accepted } from '../expectations/expectations.ts'
import { eventually } from '../stage.ts'

/** Finer than any price. */
const DECIMALS = 18

/** USD text as a number that can be reckoned with. */
export function unitsOf(usd: string): bigint {
  const units = baseUnits(usd, DECIMALS)
  if (units === undefined) expect.fail(`${usd} is no USD amount`)
  return units
}

/** What a balance key sees of the balance that it draws on. */
export async function balanceSeenBy(key: Client) {
  const { limits } = accepted(router.keyStatus, await key.get('/v1/key'))
  const balance = limits.find(({ limit }) => limit === 'balance')
  if (!balance) expect.fail('The key draws on no balance')
  return {
    spent: unitsOf(balance.spentUsd),
    held: unitsOf(balance.heldUsd),
    remaining: unitsOf(balance.remainingUsd),
  }
}

/** Makes a call, and waits until it is paid for: by what was spent more, the balance is smaller. @returns its answer */
export async function paidFor(key: Client, call: () => Promise<Answer>): Promise<Answer> {
  const before = await balanceSeenBy(key)
  const answer = await call()
  expect(answer.status, answer.text).toBe(200)
  await eventually(async () => {
    const after = await balanceSeenBy(key)
    expect(after.held).toBe(0n)
    expect(after.spent).toBeGreaterThan(before.spent)
    expect(before.remaining - after.remaining).toBe(after.spent - before.spent)
  })
  return answer
}
