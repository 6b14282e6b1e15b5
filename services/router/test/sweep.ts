import { runOnce, type TestServices } from '@callboard/testkit'
import type { RouterCallingContext } from '../src/context.ts'
import { creditTopUps } from '../src/jobs/credit-top-ups.ts'

/** The sweep of payments that nobody was there to credit, now rather than at its next turn. */
export const sweep = ({ contexts, call }: TestServices): Promise<void> =>
  runOnce(creditTopUps, { ...contexts.get('router'), call } as unknown as RouterCallingContext)
