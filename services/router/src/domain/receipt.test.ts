import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { receiptAt, receiptOf, type SettledCall } from './receipt.ts'

const CALL: SettledCall = {
  ...{ id: 'call', keyId: 'key', model: 'small', upstream: null, surface: 'chat', source: 'compute', usage: null },
  ...{ estimated: false, ending: 'completed', priceVersion: '1', amount: 2_000_000_000n, cost: 1_500_000_000n },
  ...{ createdAt: new Date('2026-11-23T12:00:00Z'), settledAt: new Date('2026-11-23T12:00:01.5Z') },
}

test('a receipt is JSON in a fixed order, and its hash covers exactly those bytes', () => {
  const { text, hash } = receiptOf(CALL, { seq: 1, previous: null })
  expect(text).toBe(
    '{"id":"call","key":"key","model":"small","upstream":null,"surface":"chat","source":"compute","usage":null,' +
      '"estimated":false,"ending":"completed","priceVersion":"1","heldUsd":"2","amountUsd":"1.5","currency":"USD",' +
      '"createdAt":"2026-11-23T12:00:00.000Z","settledAt":"2026-11-23T12:00:01.500Z","seq":1,"previous":null}',
  )
  expect(hash).toBe(createHash('sha256').update(text).digest('hex'))
})

test('the members of usage have a fixed order, whatever order they came in', () => {
  const usage = { reasoningTokens: 5, cacheWriteTokens: 4, cacheReadTokens: 3, outputTokens: 2, inputTokens: 1 }
  expect(receiptOf({ ...CALL, usage }, { seq: 2, previous: 'ab' }).text).toContain(
    '"usage":{"inputTokens":1,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4,"reasoningTokens":5}',
  )
})

test('facts that the database wrote get their place in the chain just as ours do', () => {
  const place = { seq: 12, previous: 'f'.repeat(64) }
  const { text } = receiptOf(CALL, place)
  const facts = `${text.slice(0, text.indexOf(',"seq"'))}}`
  expect(receiptAt(facts, place).text).toBe(text)
})
