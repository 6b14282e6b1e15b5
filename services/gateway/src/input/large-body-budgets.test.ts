import { expect, test } from 'vitest'
import { LargeBodyBudgets } from './large-body-budgets.ts'

const LARGEST = 8_000_000
const of = (network: string, hasKey = true) => ({ bytes: LARGEST, hasKey, network })

test('one network, with any number of keys, leaves three quarters to the others', () => {
  const budgets = new LargeBodyBudgets(8 * LARGEST)
  expect([1, 2, 3].map(() => budgets.take(of('a')) !== undefined)).toEqual([true, true, false])
  expect(['b', 'b', 'c', 'c', 'd', 'd'].every((network) => budgets.take(of(network)))).toBe(true)
  expect(budgets.take(of('e'))).toBeUndefined()
})

test('what a network gives back, counted once, is available again to it and the others', () => {
  const budgets = new LargeBodyBudgets(2 * LARGEST)
  const release = budgets.take(of('a'))
  expect(budgets.take(of('a'))).toBeUndefined()
  release?.()
  release?.()
  expect(budgets.take(of('a'))).toBeDefined()
  expect(budgets.take(of('b'))).toBeDefined()
  expect(budgets.take(of('c'))).toBeUndefined()
})

test('one body of the largest size fits even a small budget', () => {
  expect(new LargeBodyBudgets(LARGEST).take(of('a'))).toBeDefined()
})

test('networks without a key use up nothing of those with one', () => {
  const budgets = new LargeBodyBudgets(2 * LARGEST)
  expect(['a', 'b', 'c'].map((network) => budgets.take(of(network, false)) !== undefined)).toEqual([true, true, false])
  expect(budgets.take(of('a'))).toBeDefined()
})
