import { anonymous, catalog, type InputOf, Range } from '@callboard/contract'
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
const LONGEST_FIELD = 128

/** The settlements observed on chain, for people: all, those of a listing, or both sides of an address. */
export function addActivity(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get(PATH, { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    const found = await activityOf(request, ctx)
    return sendPage(reply, found ? activityPage(found, ctx.clock.now()) : noActivityPage(typedIn(request)))
  })
}

/** @returns undefined where the address of the page asks for nothing that there can be */
async function activityOf(request: FastifyRequest, ctx: GatewayContext): Promise<Activity | undefined> {
  // A form sends its empty fields too.
  const asked = Object.fromEntries(Object.entries(queryOf(request)).filter(([, value]) => value !== ''))
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

/** The fields of the address; a space that was pasted with one asks for nothing. */
const queryOf = ({ query }: FastifyRequest): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query as object).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** What was typed into the form, as far as the form can show it again. */
function typedIn(request: FastifyRequest): Activity['asked'] {
  const { range, listing, address } = queryOf(request)
  const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_FIELD) : '')
  return { range: Range.safeParse(range).data ?? '30d', listing: textOf(listing), address: textOf(address) }
}

const withoutPage = ({ range, listing, address }: InputOf<typeof catalog.activity>): Activity['asked'] => ({
  range,
  ...(listing ? { listing } : {}),
  ...(address ? { address } : {}),
})
