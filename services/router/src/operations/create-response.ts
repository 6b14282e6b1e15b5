import type { router } from '@callboard/contract'
import { serveCall } from '../calls/serve-call.ts'
import type { RouterHandler } from '../context.ts'

export const createResponse: RouterHandler<typeof router.createResponse> = (input, ctx) =>
  serveCall('responses', input, ctx)
