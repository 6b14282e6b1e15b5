import type { router } from '@callboard/contract'
import { serveCall } from '../calls/serve-call.ts'
import type { RouterHandler } from '../context.ts'

export const createEmbedding: RouterHandler<typeof router.createEmbedding> = (input, ctx) =>
  serveCall('embeddings', input, ctx)
