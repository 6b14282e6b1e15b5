import { readFileSync } from 'node:fs'
import { anonymous, x402Facilitator } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../caller-of.ts'
import type { GatewayKit } from '../kit.ts'
import { limitAddress } from '../rate-limit.ts'
import { SIGN_IN_SCRIPT } from './paths.ts'
import { returnTo } from './return-to.ts'
import { sendPage } from './send-page.ts'
import { signInPage } from './sign-in-page.ts'

const script = readFileSync(new URL('./sign-in.client.js', import.meta.url))

/** How long the page waits for the facilitator, which it can do without. */
const PATIENCE_MS = 1_000

/** The sign-in page and its script; the session itself is made by `oauth.createSession`. */
export function addSignIn(scope: FastifyInstance, kit: GatewayKit): void {
  scope.get('/signin', { config: { ownerPage: true } }, async (request, reply) => {
    await limitAddress('read', request, reply, kit)
    const caller = await callerOf(request, 'session', kit)
    const { return_to: asked, again } = request.query as Record<string, unknown>
    return sendPage(
      reply,
      signInPage({
        owner: caller?.kind === 'session' ? caller.owner : undefined,
        returnTo: returnTo(asked, scope.publicOrigin),
        again: again === 'true',
        chainIds: await chainIds(kit, request.id),
      }),
    )
  })

  scope.get(SIGN_IN_SCRIPT, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300').send(script),
  )
}

/** The EVM chains of this instance, as the facilitator tells them to anybody; none while it is away. */
async function chainIds(kit: GatewayKit, requestId: string): Promise<string[]> {
  const meta = { caller: anonymous, requestId, timeoutMs: PATIENCE_MS }
  const supported = await kit.bus.call(x402Facilitator.supported, {}, meta).catch(() => undefined)
  if (supported === undefined || isRefusal(supported)) return []
  const networks = supported.kinds.flatMap(({ network }) => /^eip155:(\d+)$/.exec(network)?.[1] ?? [])
  return [...new Set(networks)]
}
