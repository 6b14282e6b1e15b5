import type { RouterContext } from '../context.ts'
import { upstreamBody } from '../domain/request.ts'
import type { UpstreamAnswer } from '../models/upstreams.ts'
import type { PutBack } from '../translate/put-back.ts'
import type { Way } from '../translate/ways.ts'
import type { Answering, HeldCall } from './call.ts'

/** What an upstream says of the request itself, and another would say too. */
const OF_THE_REQUEST = new Set([400, 404, 409, 413, 415, 422])

/** A call on its way to one of its candidates. */
interface Sent {
  readonly call: HeldCall
  readonly body: Readonly<Record<string, unknown>>
  readonly candidates: readonly Way[]
  readonly signal: AbortSignal
}

/**
 * Asks one upstream after the other until one answers; after its first byte no other is asked.
 * @returns undefined when all failed
 */
export async function askUpstreams(
  { resources, log }: RouterContext,
  { call, body, candidates, signal }: Sent,
): Promise<(Answering & PutBack) | undefined> {
  const { surface, maxOutput } = call
  for (const { upstream, model, translation } of candidates) {
    const { wire, body: put } = translation ?? { wire: surface, body }
    const asked = upstreamBody(wire, { ...put }, { model, maxOutput, askUsage: upstream.includeUsage })
    try {
      const answer = await resources.upstreams.send(upstream, { surface: wire, body: JSON.stringify(asked), signal })
      const { statusCode: status } = answer
      if (status < 300 || OF_THE_REQUEST.has(status)) {
        const back = translation ? { translation } : {}
        return { upstream, status, contentType: contentTypeOf(answer), body: answer.body, ...back }
      }
      await answer.body.dump()
      log.warn({ upstream: upstream.name, status }, 'an upstream refused a call')
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ err: error, upstream: upstream.name }, 'an upstream could not be asked')
    }
  }
  return undefined
}

function contentTypeOf({ headers }: UpstreamAnswer): string {
  const type = headers['content-type']
  return typeof type === 'string' ? type : 'application/json'
}
