import { toEventSelector } from 'viem/utils'
import { expect, test } from 'vitest'
import { AUTHORIZATION_USED, TRANSFER } from './topics.ts'

test('the topics are those of the standards’ events', () => {
  expect(TRANSFER).toBe(toEventSelector('Transfer(address indexed from, address indexed to, uint256 value)'))
  expect(AUTHORIZATION_USED).toBe(
    toEventSelector('AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'),
  )
})
