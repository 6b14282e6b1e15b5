import type { agents } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { NEXT, relayStatusOf } from '../domain/relay-state.ts'
import { knownRelay } from '../relays/known-relay.ts'
import { changeRelay, lockRelay } from '../store/relay.repository.ts'

export const sealRelay: AgentsHandler<typeof agents.sealRelay> = async (
  { code, requester, version, enc, ciphertext },
  ctx,
) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const known = await knownRelay(ctx, { code, requester, owner })
  if (isRefusal(known)) return known
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now()
    const relay = await lockRelay(tx, known.code_hash)
    const next = NEXT[relayStatusOf(relay, owner, now)].seal
    if (isRefusal(next)) return next
    const result = { version, enc, ciphertext: Buffer.from(ciphertext, 'base64url') }
    await changeRelay(tx, known.code_hash, { ...result, sealed_at: new Date(now) })
    return {}
  })
}
