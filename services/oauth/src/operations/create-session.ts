import { type oauth, STATEMENTS } from '@callboard/contract'
import { checkSiwe, contractSignatureVerifier } from '@callboard/evm'
import { consumeNonce } from '@callboard/store'
import { isoTime, refuse } from '@callboard/values'
import { hashSecret, newCredential } from '../domain/credential.ts'
import { sessionEnd } from '../domain/session-life.ts'
import { endSessionOf } from '../end-session.ts'
import type { OauthHandler, OauthKit } from '../kit.ts'
import { openAccount } from '../store/account.repository.ts'
import { findSession, insertSession } from '../store/session.repository.ts'

export const createSession: OauthHandler<typeof oauth.createSession> = async (
  { message, signature, requester, replacedSession },
  ctx,
) => {
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const check = await checkSiwe({
    message,
    signature,
    now: ctx.clock.now(),
    expect: {
      domain: host,
      uri: origin,
      statement: STATEMENTS.login,
      chainIds: [...ctx.parts.chains.values()].map((chain) => chain.chainId),
    },
    verifyContractSignature: contractSignatureVerifier(ctx.parts.clients),
  })
  if (!check.ok) return refuse('invalid_signature', { message: `The message is refused: ${check.reason}.` })
  if (!(await consumeNonce(ctx.counters, 'login', check.nonce))) {
    return refuse('invalid_signature', { message: 'The nonce was not issued for login, is used, or is too old.' })
  }
  await endReplaced(ctx, replacedSession)
  const now = new Date(ctx.clock.now())
  const { secret, hash } = newCredential('session')
  const session = {
    token_hash: hash,
    id: ctx.newId(),
    owner: check.address,
    created_at: now,
    last_seen_at: now,
    address: requester.address,
    user_agent: requester.userAgent,
  }
  await ctx.db.transaction().execute(async (tx) => {
    await openAccount(tx, check.address, now)
    await insertSession(tx, session)
  })
  return { owner: check.address, expiresAt: isoTime(sessionEnd(session, ctx.config)), sessionToken: secret }
}

/** A browser has one session: the one before ends, so that no older token of it stays good. */
async function endReplaced(ctx: OauthKit, token: string | undefined): Promise<void> {
  const replaced = token === undefined ? undefined : await findSession(ctx.db, hashSecret(token))
  if (replaced) await endSessionOf(ctx, replaced.owner, replaced.id)
}
