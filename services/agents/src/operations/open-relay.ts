import type { agents } from '@callboard/contract'
import { type Address, isoTime, isRefusal, refuse } from '@callboard/values'
import type { AgentsContext, AgentsHandler } from '../context.ts'
import { NEXT, relayStatusOf } from '../domain/relay-state.ts'
import { knownRelay } from '../relays/known-relay.ts'
import { changeRelay, lockRelay } from '../store/relay.repository.ts'

export const openRelay: AgentsHandler<typeof agents.openRelay> = async ({ code, requester }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const known = await knownRelay(ctx, { code, requester, owner })
  if (isRefusal(known)) return known
  const state = await bind(ctx, known.code_hash, owner)
  if (isRefusal(state)) return state
  const { public_key: publicKey, device, purpose, address, user_agent: userAgent, created_at, expires_at } = known
  return {
    publicKey,
    claimed: { device, purpose },
    seen: { requester: { address, userAgent }, createdAt: isoTime(created_at.getTime()) },
    expiresAt: isoTime(expires_at.getTime()),
    sealed: state === 'sealed',
  }
}

/** Binds a relay to the first owner who opens it. @returns its resulting state */
const bind = (ctx: AgentsContext, codeHash: string, owner: Address) =>
  ctx.db.transaction().execute(async (tx) => {
    const relay = await lockRelay(tx, codeHash)
    const next = NEXT[relayStatusOf(relay, owner, ctx.clock.now())].open
    if (next === 'opened' && relay?.owner === null) await changeRelay(tx, codeHash, { owner })
    return next
  })
