import type { ModelEntry } from '../domain/model.ts'
import { type PriceRow, priceOf } from '../domain/price.ts'
import { findPublic, PUBLIC_PRICE_VERSION, type PublicModel } from '../domain/public-models.ts'

const KINDS = ['prompt', 'completion', 'cacheRead', 'cacheWrite'] as const

/** The public model of an entry: that of its own id, or of what its upstreams call it. */
function publicOf({ id, upstreams }: ModelEntry): PublicModel | undefined {
  for (const name of [id, ...upstreams.map(({ model = id }) => model)]) {
    const found = findPublic(name)
    if (typeof found !== 'string') return found
  }
  return undefined
}

/**
 * What an operator should know of a model's price beside the public one: where it is another, what the provider bills apart,
 * and when the public one ends. A price of one's own is no fault.
 * @param today as `2026-11-23`
 */
export function priceNotes(model: ModelEntry, today: string): string[] {
  const found = publicOf(model)
  if (!found) return []
  const row: PriceRow = { version: PUBLIC_PRICE_VERSION, ...found.price }
  const [ours, theirs] = [priceOf(model.price), priceOf(row)]
  const different = KINDS.filter((kind) => ours[`${kind}Pico`] !== theirs[`${kind}Pico`]).map((kind) => {
    const [own, known] = [textOf(model.price, kind), textOf(row, kind)]
    const side = ours[`${kind}Pico`] < theirs[`${kind}Pico`] ? 'less' : 'more'
    return `${kind} ${own} is ${side} than the public ${known} (${PUBLIC_PRICE_VERSION})`
  })
  const { until, unpriced = [], promptTokensUpTo = model.contextTokens } = found
  return [
    ...different,
    ...(promptTokensUpTo < model.contextTokens
      ? [`the provider asks more above ${promptTokensUpTo} prompt tokens`]
      : []),
    ...(until === undefined ? [] : [`the public price ${until <= today ? 'ended' : 'ends'} on ${until}`]),
    ...(unpriced.length === 0 ? [] : [`billed apart, and not by us: ${unpriced.join(', ')}`]),
  ].map((note) => `${model.id}: ${note}`)
}

/** What a kind of token costs; a cached one costs what any input token costs where the row does not say. */
const textOf = (row: PriceRow, kind: (typeof KINDS)[number]): string => row[kind] ?? row.prompt
