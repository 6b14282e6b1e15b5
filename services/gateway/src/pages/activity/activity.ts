import { anonymous, catalog, type InputOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { sendPage } from '../shell/send-page.ts'
import { type Activity, activityPage, noActivityPage } from './activity-page.ts'

const PATH = '/activity'
const PER_PAGE = 25
const PATIENCE_MS = 5_000

/** The settlements observed on chain, for people: all, those of a listing, or both sides of an address. */
export function addActivity(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get(PATH, { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    const found = await activityOf(request, ctx)
    return sendPage(reply, found ? activityPage(found, ctx.clock.now()) : noActivityPage)
  })
}

/** @returns undefined where the address of the page asks for nothing that there can be */
async function activityOf(request: FastifyRequest, ctx: GatewayContext): Promise<Activity | undefined> {
  // A form sends its empty fields too.
  const asked = Object.fromEntries(Object.entries(request.query as object).filter(([, value]) => value !== ''))
  const meta = { caller: anonymous, requestId: request.id, timeoutMs: PATIENCE_MS }
  if ('address' in asked && !('listing' in asked)) {
    const input = catalog.addressActivity.input.safeParse(asked)
    if (!input.success) return undefined
    const answer = await ctx.bus.call(catalog.addressActivity, input.data, meta)
    if (isRefusal(answer)) return undefined
    const { address, totals, items, nextCursor } = answer
    return { asked: { range: input.data.range, address }, sides: totals, items, nextCursor: nextCursor ?? undefined }
  }
  const input = catalog.activity.input.safeParse({ ...asked, limit: String(PER_PAGE) })
  if (!input.success) return undefined
  const answer = await ctx.bus.call(catalog.activity, input.data, meta)
  if (isRefusal(answer)) return undefined
  return { asked: withoutPage(input.data), sides: undefined, items: answer.items, nextCursor: answer.nextCursor }
}

const withoutPage = ({ range, listing, address }: InputOf<typeof catalog.activity>): Activity['asked'] => ({
  range,
  ...(listing ? { listing } : {}),
  ...(address ? { address } : {}),
})
