import type { agents } from '@callboard/contract'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { knownRelay } from '../relays/known-relay.ts'
import { takeResult } from '../store/relay.repository.ts'

export const readRelay: AgentsHandler<typeof agents.readRelay> = async ({ code, requester }, ctx) => {
  const relay = await knownRelay(ctx, { code, requester })
  if (isRefusal(relay)) return relay
  if (!relay.sealed_at) {
    return { status: 'pending', opened: relay.owner !== null, expiresAt: isoTime(relay.expires_at.getTime()) }
  }
  const result = await takeResult(ctx.db, relay.code_hash, new Date(ctx.clock.now()))
  if (!result) return refuse('not_found')
  const { version, enc, ciphertext } = result
  return { status: 'sealed', result: { version, enc, ciphertext: ciphertext.toString('base64url') } }
}
