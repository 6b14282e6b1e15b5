import { router } from '@callboard/contract'
import { baseUnits } from '@callboard/values'
import { expect } from 'vitest'
import type { Answer, Client } from '../actors/client.ts'
import { accepted } from '../expectations/expectations.ts'
import { eventually } from '../stage.ts'

/** More decimals than any price has. */
const DECIMALS = 18

/** Converts USD text to an integer for arithmetic. */
export function unitsOf(usd: string): bigint {
  const units = baseUnits(usd, DECIMALS)
  if (units === undefined) expect.fail(`${usd} is no USD amount`)
  return units
}

/** A balance as a key that draws on it sees it. */
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

/** Makes a call, and waits until it is charged: the balance falls by the increase in spending. @returns its answer */
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
