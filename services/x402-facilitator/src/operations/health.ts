import type { x402Facilitator } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { sql } from 'kysely'
import type { FacilitatorHandler } from '../context.ts'

const RETRY_AFTER_SECONDS = 5

/** Also queries the store: without it nothing can be claimed or settled, so its absence is a fault: 503. */
export const health: FacilitatorHandler<typeof x402Facilitator.health> = async (_input, { db, resources }) => {
  const [networks] = await Promise.all([resources.health.look(), sql`select 1`.execute(db)])
  const able = networks.filter(({ canSettle }) => canSettle)
  if (able.length === 0)
    return refuse('temporarily_unavailable', {
      message: 'This facilitator cannot settle on any network right now.',
      details: { networks },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  return { status: able.length === networks.length ? 'ok' : 'degraded', networks }
}
