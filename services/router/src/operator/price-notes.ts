import type { ModelEntry } from '../domain/model.ts'
import { type PriceRow, priceOf, ratesFor, tierOf } from '../domain/price.ts'
import { findPublic, PUBLIC_PRICE_VERSION, type PublicModel } from '../domain/public-models.ts'

const KINDS = ['prompt', 'completion', 'cacheRead', 'cacheWrite'] as const

/** The public model of an entry, found by its own id or by its names at the upstreams. */
function publicOf({ id, upstreams }: ModelEntry): PublicModel | undefined {
  for (const name of [id, ...upstreams.map(({ model = id }) => model)]) {
    const found = findPublic(name)
    if (typeof found !== 'string') return found
  }
  return undefined
}

/**
 * Notes for the operator on a model's price compared with the public one: where it differs, what the provider bills
 * separately, and when the public price ends. A price of the operator's own is not a fault.
 * @param today in the form `2026-11-23`
 */
export function priceNotes(model: ModelEntry, today: string): string[] {
  const found = publicOf(model)
  if (!found) return []
  const row: PriceRow = { version: PUBLIC_PRICE_VERSION, ...found.price }
  const lengths = [0, ...[...(row.tiers ?? []), ...(model.price.tiers ?? [])].map(({ above }) => above)]
  const reached = [...new Set(lengths)].filter((above) => above < model.contextTokens).sort((one, two) => one - two)
  const { until, unpriced = [] } = found
  return [
    ...reached.flatMap((above) => differencesOf(model.price, row, above)),
    ...(until === undefined ? [] : [`the public price ${until <= today ? 'ended' : 'ends'} on ${until}`]),
    ...(unpriced.length === 0 ? [] : [`billed apart, and not by us: ${unpriced.join(', ')}`]),
  ].map((note) => `${model.id}: ${note}`)
}

/** The differences between a price and the public one, for inputs above a number of tokens. */
function differencesOf(own: PriceRow, row: PriceRow, above: number): string[] {
  const [ours, theirs] = [ratesFor(priceOf(own), above + 1), ratesFor(priceOf(row), above + 1)]
  const where = above === 0 ? '' : ` above ${above} input tokens`
  return KINDS.filter((kind) => ours[`${kind}Pico`] !== theirs[`${kind}Pico`]).map((kind) => {
    const side = ours[`${kind}Pico`] < theirs[`${kind}Pico`] ? 'less' : 'more'
    const [text, known] = [textOf(own, kind, above), textOf(row, kind, above)]
    return `${kind} ${text}${where} is ${side} than the public ${known} (${PUBLIC_PRICE_VERSION})`
  })
}

/** The price of a kind of token; a cached one costs the same as other input tokens if the row has no price for it. */
function textOf(row: PriceRow, kind: (typeof KINDS)[number], above: number): string {
  const rates = tierOf(row.tiers ?? [], above + 1) ?? row
  return rates[kind] ?? rates.prompt
}
