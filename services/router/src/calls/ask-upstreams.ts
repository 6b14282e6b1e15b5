import type { RouterContext } from '../context.ts'
import { upstreamBody } from '../domain/request.ts'
import { firstAnswer } from '../models/first-answer.ts'
import type { UpstreamAnswer } from '../models/upstreams.ts'
import type { UpstreamRoute } from '../translate/upstream-routes.ts'
import type { Answering, HeldCall } from './call.ts'

/** A call on its way to one of its candidates. */
interface Sent {
  readonly call: HeldCall
  readonly body: Readonly<Record<string, unknown>>
  readonly candidates: readonly UpstreamRoute[]
  /** The client's own API headers, for upstreams that receive the request untranslated. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Asks the candidates of a call one after another until one answers; a single hold covers all of them.
 * @returns undefined when all failed
 */
export async function askUpstreams(
  ctx: RouterContext,
  { call, body, candidates, headers, signal }: Sent,
): Promise<Answering | undefined> {
  const { surface, maxOutput, request } = call
  const isWhole = !request.stream && surface !== 'embeddings'
  const callOf = ({ upstream, model, translation }: UpstreamRoute) => {
    const { wire, body: put } = translation ?? { wire: surface, body }
    const { includeUsage: askUsage, lengthField } = upstream
    const asked = upstreamBody(wire, { ...put }, { model, maxOutput, askUsage, lengthField })
    return { surface: wire, body: JSON.stringify(asked), headers: translation ? {} : headers, isWhole }
  }
  const first = await firstAnswer(ctx, { candidates, signal, callOf })
  if (!first) return undefined
  const { candidate, answer, broke } = first
  const { upstream, translation } = candidate
  const { statusCode: status, body: answered } = answer
  return {
    upstream,
    status,
    contentType: contentTypeOf(answer),
    body: answered,
    broke,
    ...(translation ? { translation } : {}),
  }
}

function contentTypeOf({ headers }: UpstreamAnswer): string {
  const type = headers['content-type']
  return typeof type === 'string' ? type : 'application/json'
}
