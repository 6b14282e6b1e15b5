import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'

export const models: RouterHandler<typeof router.models> = async (_input, { resources }) => {
  const { all, upstreamOf } = resources.models.current
  return {
    models: all.map((model) => ({
      id: model.id,
      ownedBy: model.ownedBy,
      contextTokens: model.contextTokens,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: [...model.capabilities],
      pricing: model.price,
      cancelled: model.upstreams.every(({ upstream }) => upstreamOf(upstream).cancelled === 'free')
        ? 'free'
        : 'estimate',
    })),
  }
}
