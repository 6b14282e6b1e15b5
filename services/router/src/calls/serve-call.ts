import { isRefusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import type { Surface } from '../domain/surface.ts'
import { candidatesFor } from '../models/candidates.ts'
import { admit } from './admit.ts'
import { answerStreamed } from './answer-streamed.ts'
import { answerWhole } from './answer-whole.ts'
import { askUpstreams } from './ask-upstreams.ts'
import { finish } from './finish.ts'

/** A model call from its request to its settlement: held, asked, answered, settled once, whichever way it ends. */
export async function serveCall(
  surface: Surface,
  { routerKey, ...body }: { routerKey: string } & Record<string, unknown>,
  ctx: RouterContext & { readonly signal: AbortSignal },
) {
  const admitted = await admit(ctx, { surface, routerKey, body })
  if (isRefusal(admitted)) return admitted
  const { call, model } = admitted
  const { signal } = ctx
  const candidates = candidatesFor(ctx.resources.models.current, model, surface)
  try {
    const answering = await askUpstreams(ctx, { call, body, candidates, signal })
    if (!answering) {
      await finish(ctx, call, { kind: 'failed_before_output' })
      return refuse('upstream_error', { retryAfterSeconds: 1 })
    }
    const isStream = call.request.stream && answering.status < 300
    return isStream ? answerStreamed(ctx, call, answering) : await answerWhole(ctx, call, answering)
  } catch (error) {
    // A repeat of a settlement changes nothing.
    await finish(ctx, call, signal.aborted ? { kind: 'cancelled', seen: 0 } : { kind: 'failed_before_output' })
    throw error
  }
}
