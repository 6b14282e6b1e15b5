import { type oauth, STATEMENTS } from '@callboard/contract'
import { checkSiwe, contractSignatureVerifier, isChainOutage, siweProblem } from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import { consumeNonce } from '@callboard/store'
import { isoTime, isRefusal, refuse } from '@callboard/values'
import type { OauthContext, OauthHandler } from '../context.ts'
import { hashSecret, newCredential } from '../domain/credential.ts'
import { sessionEnd } from '../domain/session-life.ts'
import { admit, chainsWithCode } from '../sessions/owner-of-chain.ts'
import { endLeastUsed, signOut } from '../sessions/sign-out.ts'
import { insertSession } from '../store/session.repository.ts'

export const createSession: OauthHandler<typeof oauth.createSession> = async (
  { message, signature, requester, replacedSession },
  ctx,
) => {
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const expect = {
    domain: host,
    uri: origin,
    statement: STATEMENTS.login,
    chainIds: [...ctx.resources.chains.values()].map((chain) => chain.chainId),
  }
  const check = await unlessChainUnavailable(ctx, () =>
    checkSiwe({
      message,
      signature,
      now: ctx.clock.now(),
      expect,
      verifyContractSignature: contractSignatureVerifier(ctx.resources.clients),
    }),
  )
  if (isRefusal(check)) return check
  if (!check.ok) {
    return refuse('invalid_signature', { message: `The message is refused: ${siweProblem(check.reason, expect)}.` })
  }
  if (!(await consumeNonce(ctx.counters, 'login', check.nonce))) {
    return refuse('invalid_signature', {
      message: 'The nonce was not issued for login, was already used, or is too old.',
    })
  }
  const proof = { by: check.provedBy, chainId: check.chainId }
  const codeOn = await unlessChainUnavailable(ctx, () => chainsWithCode(ctx, check.address, proof))
  if (isRefusal(codeOn)) return codeOn
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
  const problem = await ctx.db.transaction().execute(async (tx) => {
    const ruling = await admit(tx, check.address, { proof, codeOn, now })
    if ('problem' in ruling) return ruling.problem
    await insertSession(tx, session)
    return undefined
  })
  if (problem) return refuse('invalid_signature', { message: `The message is refused: ${problem}.` })
  await endReplaced(ctx, replacedSession)
  await endLeastUsed(ctx, check.address)
  return { owner: check.address, expiresAt: isoTime(sessionEnd(session, ctx.config)), sessionToken: secret }
}

/** Only a contract wallet's sign-in asks a chain. */
const unlessChainUnavailable = <T>(ctx: OauthContext, ask: () => Promise<T>) =>
  unlessUnavailable(ctx, 'chain of the message', ask, isChainOutage)

/** A browser has one session: the previous one ends, so that no older token of it stays valid. */
async function endReplaced(ctx: OauthContext, token: string | undefined): Promise<void> {
  const replaced = token === undefined ? undefined : await ctx.resources.credentials.session(hashSecret(token))
  if (replaced) await signOut(ctx, replaced.owner, replaced.id)
}
