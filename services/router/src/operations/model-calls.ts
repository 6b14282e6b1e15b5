import type { router } from '@callboard/contract'
import { serveCall } from '../calls/serve-call.ts'
import type { RouterHandler } from '../context.ts'

export const createChatCompletion: RouterHandler<typeof router.createChatCompletion> = (input, ctx) =>
  serveCall('chat', input, ctx)

export const createResponse: RouterHandler<typeof router.createResponse> = (input, ctx) =>
  serveCall('responses', input, ctx)

export const createEmbedding: RouterHandler<typeof router.createEmbedding> = (input, ctx) =>
  serveCall('embeddings', input, ctx)

export const createMessage: RouterHandler<typeof router.createMessage> = (input, ctx) =>
  serveCall('messages', input, ctx)
