import { describe, expect, test } from 'vitest'
import { differencesFromChain } from '../../src/invariants/ledger.ts'
import type { Arena } from './arena.ts'

/** Compares what the services recorded with the chain. */
export const books = (arena: () => Arena) =>
  describe('after all attacks', () => {
    test('indexer, directory and facilitator hold exactly the transfers that the chain holds, to the unit', async () => {
      const { doors, query } = arena()
      const look = () => differencesFromChain(doors.devnet, query)
      await expect.poll(look, { timeout: 60_000, interval: 250 }).toEqual([])
    })
  })
