import { describe } from 'vitest'
import { header } from '../../../services/all/test/payments/header.ts'
import { identifier } from '../../../services/all/test/payments/identifier.ts'
import { once } from '../../../services/all/test/payments/once.ts'
import { refused } from '../../../services/all/test/payments/refused.ts'
import type { Arena } from './arena.ts'
import { books } from './books.ts'
import { gasForNothing } from './gas-for-nothing.ts'
import { hostileEndpoints } from './hostile-endpoints.ts'
import { unsettled } from './unsettled.ts'

/**
 * The known attacks on x402 payments, from two papers of 2026, public discussions and our own runs:
 * 1 a payment many times at once · 2 for another request · 3 after its success, after a restart, at another replica · 4
 * two payments, money for one · 5 a payer that changes between verification and settlement · 6 a third party sends it ·
 * 7 a node that goes silent · 8 a reorganization · 9 the end of its window · 10 a fake token · 11 caches · 12 headers ·
 * 13 malleated signatures · 14 hostile endpoints · 15 changing listings · 16 ERC-6492 · 17 gas for nothing.
 * The books come last: they must equal the chain after all of it.
 */
export function attacks(arena: () => Arena): void {
  const doors = () => arena().doors
  describe('1, 2, 4, 6 and 13', () => void once(doors))
  describe('2, by its identifier', () => void identifier(doors))
  describe('9, 10 and 13', () => void refused(doors))
  describe('12', () => void header(doors))
  unsettled(arena)
  hostileEndpoints(arena)
  gasForNothing(arena)
  books(arena)
}
