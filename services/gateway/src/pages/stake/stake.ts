import { router } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callAs } from '../owner/owner.ts'
import { addOwnerPage } from '../owner/owner-page.ts'
import { sendPage } from '../shell/send-page.ts'
import { signInForStake, stakePage } from './stake-page.ts'

/** The page to which agents' stake views link: what an owner’s stake is worth, and which contracts take stakes. */
export function addStake(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: '/stake',
    signIn: () => signInForStake,
    show: async (asking) => {
      const usage = await callAs(asking, router.usage, {})
      if (isRefusal(usage)) throw new Refused(usage)
      const page = stakePage({
        ...{ owner: asking.caller.owner, usage, now: ctx.clock.now() },
        contracts: ctx.config.STAKE_CONTRACTS ?? {},
      })
      return sendPage(asking.reply, page)
    },
  })
}
