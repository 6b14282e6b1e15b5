import { expect, test } from 'vitest'
import { onrampSession } from './onramp.ts'

const SESSION = { wallet: `0x${'11'.repeat(20)}`, network: 'eip155:8453', amountUsd: '5' }

test.each(['1', '1.5', '499.99', '500'])('a session buys from 1 to 500 dollars: %s', (amountUsd) => {
  expect(onrampSession.input.safeParse({ ...SESSION, amountUsd }).success).toBe(true)
})

test.each([
  ['wallet', 'no wallet', { wallet: undefined }, /expected string/],
  ['network', 'what is no network', { network: 'base' }, /./],
  ['amountUsd', 'nothing', { amountUsd: '0' }, /must be from 1 to 500/],
  ['amountUsd', 'less than a dollar', { amountUsd: '0.5' }, /must be from 1 to 500/],
  ['amountUsd', 'more than 500 dollars', { amountUsd: '500.01' }, /must be from 1 to 500/],
  ['amountUsd', 'thousands', { amountUsd: '1000' }, /must be from 1 to 500/],
  ['amountUsd', 'parts of a cent', { amountUsd: '1.505' }, /at most two decimals/],
  ['amountUsd', 'a sign', { amountUsd: '-5' }, /an amount in USD/],
])('a refusal names %s and the reason: %s', (field, _what, change, reason) => {
  const { error } = onrampSession.input.safeParse({ ...SESSION, ...change })
  expect(error?.issues[0]).toMatchObject({ path: [field], message: expect.stringMatching(reason) })
})
