import { describe, expect, test } from 'vitest'
import { CONFIRMATIONS, ConfirmationReached, ConfirmationText, isAsFarAs } from './confirmation.ts'

test('the policies are ordered from weakest to strongest', () => {
  expect(CONFIRMATIONS).toEqual(['preconfirmed', 'included', 'safe', 'finalized'])
  expect(CONFIRMATIONS.map((word) => ConfirmationText.safeParse(word).success)).toEqual([true, true, true, true])
  expect(['', 'Safe', 'final', null].map((word) => ConfirmationText.safeParse(word).success)).toEqual(
    Array(4).fill(false),
  )
})

describe('isAsFarAs', () => {
  test('default: a settlement has reached its own policy and every weaker one', () => {
    const reaching = CONFIRMATIONS.map((reached) => CONFIRMATIONS.filter((asked) => isAsFarAs(reached, asked)).length)
    expect(reaching).toEqual([1, 2, 3, 4])
    expect([isAsFarAs('included', 'preconfirmed'), isAsFarAs('included', 'safe')]).toEqual([true, false])
  })

  test('behavior: one that has reached no policy is not even preconfirmed', () => {
    expect(isAsFarAs(null, 'preconfirmed')).toBe(false)
  })
})

test('ConfirmationReached: holds the requested policy, and the one reached or null', () => {
  for (const reached of ['safe', null]) {
    expect(ConfirmationReached.parse({ policy: 'included', reached })).toEqual({ policy: 'included', reached })
  }
  for (const odd of [{ policy: 'included' }, { policy: null, reached: null }, { policy: 'safe', reached: 'soon' }]) {
    expect(ConfirmationReached.safeParse(odd).success).toBe(false)
  }
})
