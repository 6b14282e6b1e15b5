import { readFileSync } from 'node:fs'
import { anonymous, x402Facilitator } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { callerOf } from '../../credentials/caller-of.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { KeptBody } from '../../shared-reads/representations.ts'
import { sendShared } from '../../shared-reads/send-shared.ts'
import { returnTo, signInAt } from '../owner/return-to.ts'
import { SIGN_IN_SCRIPT } from '../paths.ts'
import { sendPage } from '../shell/send-page.ts'
import { signInPage } from './sign-in-page.ts'

const script = new KeptBody(readFileSync(new URL('./sign-in.client.js', import.meta.url)))

/** How long the page waits for the facilitator, which it can do without. */
const PATIENCE_MS = 1_000

/** The sign-in page and its script; the session itself is made by `oauth.createSession`. */
export function addSignIn(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get('/signin', { config: { ownerPage: true } }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const caller = await callerOf(request, 'session', ctx)
    const { return_to: asked, again } = request.query as Record<string, unknown>
    const wanted = returnTo(asked, scope.publicOrigin)
    return sendPage(
      reply,
      signInPage({
        owner: caller?.kind === 'session' ? caller.owner : undefined,
        returnTo: wanted,
        again: again === 'true',
        chainIds: await chainIds(ctx, request.id),
        // Shown to be opened elsewhere: includes the return path if that is one of ours.
        address: scope.publicOrigin + (wanted ? signInAt(wanted) : '/signin'),
      }),
    )
  })

  scope.get(SIGN_IN_SCRIPT, (request, reply) => {
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300')
    return sendShared(request, reply, script)
  })
}

/** The EVM chains of this instance, as the facilitator lists them for any caller; none while it is unavailable. */
async function chainIds(ctx: GatewayContext, requestId: string): Promise<string[]> {
  const meta = { caller: anonymous, requestId, timeoutMs: PATIENCE_MS }
  const supported = await ctx.bus.call(x402Facilitator.supported, {}, meta).catch(() => undefined)
  if (supported === undefined || isRefusal(supported)) return []
  const networks = supported.kinds.flatMap(({ network }) => /^eip155:(\d+)$/.exec(network)?.[1] ?? [])
  return [...new Set(networks)]
}
