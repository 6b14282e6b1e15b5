import type { router } from '@callboard/contract'
import { serveCall } from '../calls/serve-call.ts'
import type { RouterHandler } from '../context.ts'

export const createMessage: RouterHandler<typeof router.createMessage> = (
  { anthropicVersion, anthropicBeta, ...input },
  ctx,
) => serveCall('messages', input, ctx, { anthropicVersion, anthropicBeta })
