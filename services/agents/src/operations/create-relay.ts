import type { agents } from '@callboard/contract'
import { isoTime, MINUTE_MS, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { hashOfCode } from '../relays/known-relay.ts'
import { insertRelay } from '../store/relay.repository.ts'

const LIFE_MS = 10 * MINUTE_MS

export const createRelay: AgentsHandler<typeof agents.createRelay> = async (
  { publicKey, code, device, purpose, requester },
  ctx,
) => {
  const now = ctx.clock.now()
  const inserted = await insertRelay(ctx.db, {
    ...{ code_hash: hashOfCode(code), public_key: publicKey, device, purpose },
    ...{ address: requester.address, user_agent: requester.userAgent },
    ...{ created_at: new Date(now), expires_at: new Date(now + LIFE_MS) },
    ...{ owner: null, version: null, enc: null, ciphertext: null, sealed_at: null, read_at: null },
  })
  return inserted ? { expiresAt: isoTime(now + LIFE_MS) } : refuse('relay_code_taken')
}
