import { isRefusal, refuse, unixSeconds } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import type { Surface } from '../domain/surface.ts'
import { Untranslatable } from '../translate/untranslatable.ts'
import { waysFor } from '../translate/ways.ts'
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
  try {
    const created = unixSeconds(ctx.clock.now())
    const candidates = waysFor(ctx.resources.models.current, model, { surface, body, created })
    if (candidates instanceof Untranslatable) {
      await finish(ctx, call, { kind: 'failed_before_output' })
      const { field, message } = candidates
      return refuse('invalid_request', { field, message: `${field}: ${message}` })
    }
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
