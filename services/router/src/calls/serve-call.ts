import { isRefusal, refuse } from '@callboard/values'
import type { AnthropicAsked } from '../domain/asked/anthropic-headers.ts'
import type { Surface } from '../domain/surface.ts'
import { admit } from './admit.ts'
import { answerStreamed } from './answer-streamed.ts'
import { answerWhole } from './answer-whole.ts'
import { askUpstreams } from './ask-upstreams.ts'
import { type CallContext, hasLeft } from './call.ts'
import { callFailpoints } from './failpoints.ts'
import { finish } from './finish.ts'
import { withEvidence } from './pay-and-hold.ts'
import type { Credentials } from './payer.ts'

/** Serves a model call from request to settlement: held, asked, answered, and settled once, however it ends. */
export async function serveCall(
  surface: Surface,
  { routerKey, signInWithX, ...body }: Credentials & Record<string, unknown>,
  ctx: CallContext,
  api: AnthropicAsked = {},
) {
  const admitted = await admit(ctx, { surface, routerKey, signInWithX, body, api })
  if (isRefusal(admitted)) return admitted
  const { call, candidates, headers, settlement } = admitted
  const { signal } = ctx
  callFailpoints.hit('held')
  try {
    const answering = await askUpstreams(ctx, { call, body, candidates, headers, signal })
    if (!answering) {
      await finish(ctx, call, { kind: 'failed_before_output' })
      return withEvidence(refuse('upstream_error', { retryAfterSeconds: 1 }), settlement)
    }
    callFailpoints.hit('answered')
    const isStream = call.request.stream && answering.status < 300
    if (isStream) return answerStreamed(ctx, call, answering)
    const answer = await answerWhole(ctx, call, answering)
    return isRefusal(answer) ? withEvidence(answer, settlement) : answer
  } catch (error) {
    // Settling a call twice changes nothing.
    await finish(ctx, call, hasLeft(signal) ? { kind: 'cancelled', seen: 0 } : { kind: 'failed_before_output' })
    throw error
  }
}
