import { FINDINGS } from '@callboard/contract'
import type { ProberContext } from './context.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'
import { NO_ANSWER, type Probed, probeEndpoint } from './probe-endpoint.ts'
import type { Target } from './record-checks.ts'

/** What stands for a probe of an endpoint that its origin's robots.txt forbids to call. */
export const NOT_ALLOWED: Probed = { finding: 'robots_disallowed', ...FINDINGS.robots_disallowed, ...NO_ANSWER }

/** What an endpoint under watch says now. */
export async function probeTarget(
  ctx: ProberContext,
  origin: GuardedOrigin,
  { url, method, input_schema, sample }: Target,
  signal: AbortSignal,
): Promise<Probed> {
  const endpoint = { url: new URL(url), method, inputSchema: input_schema ?? undefined, sample: sample ?? undefined }
  return await probeEndpoint(ctx, origin, endpoint, signal)
}
