import { type OutputOf, router, x402Facilitator } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused, refusalOf } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerPage } from '../owner/owner-page.ts'
import { sendPage } from '../shell/send-page.ts'
import { routerPage, signInForRouter } from './router-page.ts'
import { type Asked, TOP_UP_PATH } from './top-up.ts'

/** The page that shows what an owner may spend on language models and has spent, and how to buy more. */
export function addRouter(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: '/account/router',
    signIn: () => signInForRouter,
    show: async (asking) => {
      const [usage, keys, asked] = await Promise.all([
        callAs(asking, router.usage, {}),
        callAs(asking, router.listKeys, {}),
        askedFor(asking),
      ])
      if (isRefusal(usage)) throw new Refused(usage)
      if (isRefusal(keys)) throw new Refused(keys)
      const labels = new Map(keys.keys.map(({ id, label }) => [id, label]))
      return sendPage(asking.reply, routerPage({ usage, labels, asked, now: ctx.clock.now() }))
    },
  })
}

/** The price of the smallest top-up; undefined while its seller cannot be asked, so that the rest is still shown. */
async function askedFor({ request, ctx }: OwnerRequest): Promise<Asked | undefined> {
  const [usd] = router.TOP_UP_USD
  const url = new URL(`${TOP_UP_PATH}/${usd}`, request.server.publicOrigin).href
  try {
    const asked = { operation: router.topUp.id, resourceUrl: url, priceUsd: `${usd}` }
    const offer = await ctx.call(x402Facilitator.offer, asked)
    return isRefusal(offer) ? undefined : { url, ways: waysOf(offer) }
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    return undefined
  }
}

const waysOf = ({ paymentRequired: { accepts } }: OutputOf<typeof x402Facilitator.offer>): Asked['ways'] =>
  accepts.map(({ network, asset, amount }) => ({ network, asset, amount }))
