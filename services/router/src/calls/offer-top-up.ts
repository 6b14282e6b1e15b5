import { router } from '@callboard/contract'
import type { Refusal } from '@callboard/values'
import type { RouterCallingContext } from '../context.ts'
import type { Surface } from '../domain/surface.ts'
import { tierFor } from '../top-ups/offers.ts'
import { SIGN_IN_WITH_X, signInExtension } from '../wallets/sign-in-with-x.ts'

const PATHS: Readonly<Record<Surface, string>> = {
  chat: router.createChatCompletion.http.path,
  responses: router.createResponse.http.path,
  embeddings: router.createEmbedding.http.path,
  messages: router.createMessage.http.path,
}

/**
 * Adds to a refusal for lack of money the offer of the smallest top-up that covers the call, and how a wallet with a
 * balance signs in. If the offer cannot be had now, the refusal goes without it.
 * @param needed nano-USD
 */
export async function offerTopUp<Code extends string>(
  ctx: RouterCallingContext,
  refusal: Refusal<Code>,
  { needed, surface }: { readonly needed: bigint; readonly surface: Surface },
): Promise<Refusal<Code>> {
  const tier = tierFor(needed)
  if (tier === undefined) return refusal
  try {
    const { resource, accepts, extensions, ...offer } = await ctx.resources.offers.of(ctx, tier)
    const signIn = await signInExtension(
      ctx,
      accepts.map(({ network }) => network),
    )
    const paymentRequired = {
      ...offer,
      resource: { ...resource, url: new URL(PATHS[surface], ctx.config.BASE_URL).href },
      accepts,
      extensions: { ...extensions, [SIGN_IN_WITH_X]: signIn },
    }
    return { ...refusal, details: { ...refusal.details, topUpUsd: tier, paymentRequired } }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the offer of a top-up is unavailable')
    return refusal
  }
}
