import type { x402Facilitator } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { FacilitatorHandler } from '../context.ts'
import { cursorAfter, placeOf } from '../domain/search-cursor.ts'
import { shownResource } from '../domain/shown-resource.ts'
import { searchResources } from '../store/listed-resource.repository.ts'

export const discoverySearch: FacilitatorHandler<typeof x402Facilitator.discoverySearch> = async (
  { query, limit, cursor, ...filter },
  ctx,
) => {
  const question = { query, ...filter }
  const after = cursor === undefined ? undefined : placeOf(question, cursor)
  if (cursor !== undefined && !after)
    return refuse('invalid_request', {
      message: 'cursor: is not a place in the answer to this query. Leave it out to start again.',
      field: 'cursor',
    })
  const found = await searchResources(ctx.db, query, filter, { limit: limit + 1, after })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const goesOn = found.length > limit && last !== undefined
  return {
    x402Version: 2,
    resources: shown.map(shownResource),
    partialResults: goesOn,
    pagination: { limit, cursor: goesOn ? cursorAfter(question, last) : null },
  }
}
