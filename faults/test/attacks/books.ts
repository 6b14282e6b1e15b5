import { describe, expect, test } from 'vitest'
import { differencesFromChain } from '../../src/invariants/ledger.ts'
import type { Arena } from './arena.ts'

/** Compares what the services recorded with the chain. */
export const books = (arena: () => Arena) =>
  describe('after all of it', () => {
    test('indexer, directory and facilitator hold every transfer that the chain holds, to the unit, and no other', async () => {
      const { doors, query } = arena()
      const look = () => differencesFromChain(doors.devnet, query)
      await expect.poll(look, { timeout: 60_000, interval: 250 }).toEqual([])
    })
  })
