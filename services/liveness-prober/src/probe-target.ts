import { FINDINGS } from '@callboard/contract'
import type { ProberContext } from './context.ts'
import type { Unread } from './domain/robots.ts'
import { openapiUrl } from './openapi-documents.ts'
import { NO_ANSWER, type Probed, probeEndpoint } from './probe-endpoint.ts'
import type { Target } from './record-checks.ts'
import type { Visit } from './visit.ts'

/** The result for an endpoint that is not called, because its origin's robots.txt forbids it or cannot be read. */
export const notCalled = (because: Unread | 'robots_disallowed'): Probed => ({
  finding: because,
  ...FINDINGS[because],
  ...NO_ANSWER,
})

/** Probes an endpoint under watch. For a mirrored one, nothing is read from its origin that robots.txt forbids. */
export async function probeTarget(
  ctx: ProberContext,
  { origin, unsolicited, signal }: Visit,
  { url: text, method, input_schema, sample, mirrored }: Target,
): Promise<Probed> {
  const url = new URL(text)
  const endpoint = { url, method, inputSchema: input_schema ?? undefined, sample: sample ?? undefined }
  const isForbidden = mirrored && !unsolicited.mayRead(openapiUrl(url))
  return await probeEndpoint(ctx, origin, isForbidden ? { ...endpoint, withoutDocument: true } : endpoint, signal)
}
