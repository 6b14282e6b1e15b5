import { anonymous, catalog, type DiscoveryItem, type InputOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyRequest } from 'fastify'
import { refusalOf } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'

/** How long the page waits for the directory, without which it has nothing to list. */
const PATIENCE_MS = 2_000
const PER_PAGE = 10
export const LONGEST_QUERY = 200
const NO_SUCH_PAGE = 'This page of results no longer exists. Search again.'

/** A visitor's search, from the address. */
export interface Search {
  readonly q: string
  readonly includeUnverified: boolean
  readonly cursor: string | undefined
}

/** The results; the fields that are invalid; or that the directory cannot be asked now. */
export type Found =
  | { readonly items: readonly DiscoveryItem[]; readonly nextCursor: string | null; readonly hiddenUnverified: number }
  | { readonly problem: string }
  | 'unavailable'

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Reads a search from the page's address. A repeated field counts as absent. */
export function searchOf(request: FastifyRequest): Search {
  const { q, unverified, cursor } = request.query as Record<string, unknown>
  return { q: textOf(q), includeUnverified: unverified === 'true', cursor: textOf(cursor) || undefined }
}

/** Asks the directory like any client. */
export async function find(search: Search, request: FastifyRequest, ctx: GatewayContext): Promise<Found> {
  const input = catalog.discovery.input.safeParse({
    ...(search.q ? { q: search.q } : {}),
    ...(search.cursor ? { cursor: search.cursor } : {}),
    includeUnverified: String(search.includeUnverified),
    limit: PER_PAGE,
  })
  if (!input.success) {
    const isQuery = input.error.issues.some(({ path }) => path[0] === 'q')
    return { problem: isQuery ? `A search can have at most ${LONGEST_QUERY} characters.` : NO_SUCH_PAGE }
  }
  return ask(input.data, request, ctx)
}

async function ask(
  input: InputOf<typeof catalog.discovery>,
  request: FastifyRequest,
  ctx: GatewayContext,
): Promise<Found> {
  const meta = { caller: anonymous, requestId: request.id, timeoutMs: PATIENCE_MS }
  try {
    const answer = await ctx.bus.call(catalog.discovery, input, meta)
    return isRefusal(answer) ? { problem: NO_SUCH_PAGE } : answer
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    return 'unavailable'
  }
}

/** The address of a search. */
export const searchPath = ({ q, includeUnverified, cursor }: Search): string => {
  const given = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(includeUnverified ? { unverified: 'true' } : {}),
    ...(cursor ? { cursor } : {}),
  })
  return given.size === 0 ? '/' : `/?${given}`
}
