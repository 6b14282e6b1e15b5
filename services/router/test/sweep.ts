import { runOnce, type TestDatabase, type TestServices, until } from '@callboard/testkit'
import type { Address } from '@callboard/values'
import type { RouterCallingContext } from '../src/context.ts'
import { creditTopUps } from '../src/jobs/credit-top-ups.ts'

/** Runs the sweep of uncredited payments now rather than at its next turn. */
export const sweep = ({ contexts, call }: TestServices): Promise<void> =>
  runOnce(creditTopUps, { ...contexts.get('router'), call } as unknown as RouterCallingContext)

/**
 * Sweeps, as if an owner's payments had been presented a minute ago, until one is credited. The scheduled sweep may
 * have checked one before, and left it alone for a while.
 * @returns what the owner has bought, in nano-USD
 */
export const untilCredited = (services: TestServices, { query }: TestDatabase, owner: Address): Promise<string> =>
  until('it is credited', async () => {
    await query(
      `update router.top_up set due_at = now() - interval '1 second',
        created_at = least(created_at, date_trunc('milliseconds', now()) - interval '1 minute')
       where owner = $1 and state = 'pending'`,
      [owner],
    )
    await sweep(services)
    const [bought] = await query<{ nano: string }>(
      'select purchased_nano::text as nano from router.balance where owner = $1 and purchased_nano > 0',
      [owner],
    )
    return bought?.nano
  })
