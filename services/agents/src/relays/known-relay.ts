import { createHash } from 'node:crypto'
import type { Requester } from '@callboard/contract'
import { type Address, refuse } from '@callboard/values'
import type { AgentsContext } from '../context.ts'
import { isCurrent } from '../domain/relay-state.ts'
import { countCode, RELAY_CODES } from '../requests/wrong-codes.ts'
import { relayOf } from '../store/relay.repository.ts'

/** What the table stores instead of a relay's code. */
export const hashOfCode = (code: string): string => createHash('sha256').update(code).digest('hex')

interface Tried {
  readonly code: string
  readonly requester: Requester
  /** Absent if the program asks. */
  readonly owner?: Address
}

/** @refuses not_found for a code that is unknown, expired or spent · rate_limited after too many of them */
export async function knownRelay(ctx: AgentsContext, { code, ...tried }: Tried) {
  const relay = await relayOf(ctx.db, hashOfCode(code))
  const current = relay && isCurrent(relay, ctx.clock.now()) ? relay : undefined
  const limited = await countCode(ctx, RELAY_CODES, { ...tried, right: current !== undefined })
  return limited ?? current ?? refuse('not_found')
}
