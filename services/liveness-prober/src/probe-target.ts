import { FINDINGS } from '@callboard/contract'
import type { ProberContext } from './context.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'
import type { MirrorPacing } from './mirror-pacing.ts'
import { NO_ANSWER, type Probed, probeEndpoint } from './probe-endpoint.ts'
import type { Target } from './record-checks.ts'

const NOT_ALLOWED: Probed = { finding: 'robots_disallowed', ...FINDINGS.robots_disallowed, ...NO_ANSWER }

/** What an endpoint under watch says now. One that others listed is called only where its origin's robots.txt allows. */
export async function probeTarget(
  ctx: ProberContext,
  origin: GuardedOrigin,
  target: Target,
  mirror: MirrorPacing,
  signal: AbortSignal,
): Promise<Probed> {
  const url = new URL(target.url)
  if (target.mirrored && !mirror.allows(url)) return NOT_ALLOWED
  const { method, input_schema, sample } = target
  const endpoint = { url, method, inputSchema: input_schema ?? undefined, sample: sample ?? undefined }
  return await probeEndpoint(ctx, origin, endpoint, signal)
}
