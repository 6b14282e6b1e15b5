import type { router } from '@callboard/contract'
import { serveCall } from '../calls/serve-call.ts'
import type { RouterHandler } from '../context.ts'

export const createChatCompletion: RouterHandler<typeof router.createChatCompletion> = (input, ctx) =>
  serveCall('chat', input, ctx)
