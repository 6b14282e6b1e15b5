import { isObject } from '@callboard/x402'
import { z } from 'zod'
import file from '../../data/public-models.json' with { type: 'json' }
import { PriceRow } from './price.ts'

const Source = z.strictObject({
  name: z.string(),
  version: z.string(),
  date: z.iso.date(),
  license: z.literal('MIT'),
  notice: z.string(),
})
const tokens = z.int().positive()

const PublicModel = z.strictObject({
  id: z.string(),
  provider: z.string(),
  contextTokens: tokens,
  maxOutputTokens: tokens.optional(),
  price: PriceRow.omit({ version: true }),
  /** The day from which the provider charges something else. */
  until: z.iso.date().optional(),
  /** What the provider bills separately, with no price in a row. */
  unpriced: z.array(z.string()).optional(),
  /** Whether the second table has the same prices; if not, it has none at all. */
  confirmed: z.boolean(),
})
export type PublicModel = z.output<typeof PublicModel>

/** The output of `npm run prices`: prices of one table, checked against a second; without those that disagree. */
export const PublicModels = z.strictObject({
  source: Source,
  second: Source,
  models: z.array(PublicModel),
  disputed: z.array(
    z.strictObject({
      id: z.string(),
      provider: z.string(),
      field: z.string(),
      values: z.tuple([z.number(), z.number()]),
    }),
  ),
  omitted: z.array(z.strictObject({ id: z.string(), provider: z.string(), why: z.string() })),
})

export const PUBLIC_MODELS: z.output<typeof PublicModels> = PublicModels.parse(file)

const { name, version, date } = PUBLIC_MODELS.source
/** The name by which receipts cite a public price: `genai-prices@0.1.8/2026-09-23`. */
export const PUBLIC_PRICE_VERSION = `${name.split('/').at(-1)}@${version}/${date}`

const namedBy = (name: string) => (one: { readonly id: string; readonly provider: string }) =>
  one.id === name || `${one.provider}/${one.id}` === name

/**
 * Finds a public model by name: its id, prefixed with its provider where several have it.
 * @returns if there is none, what is wrong with the name
 */
export function findPublic(name: string): PublicModel | string {
  const [found, ...others] = PUBLIC_MODELS.models.filter(namedBy(name))
  if (found && others.length === 0) return found
  if (found) return `is one of ${[found, ...others].map(({ provider, id }) => `${provider}/${id}`).join(', ')}`
  if (PUBLIC_MODELS.disputed.some(namedBy(name))) return `has no public price: the tables disagree on ${name}`
  const omitted = PUBLIC_MODELS.omitted.find(namedBy(name))
  return omitted ? `has no public price: ${omitted.why}` : `has no public price: no table has ${name}`
}

/** What is wrong with the public price of an entry. */
export interface PublicPriceFault {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * Replaces the words `public` or `{ public: name }` in an entry of the file with its public price, and fills in the
 * model's context and length if the entry has none of its own. Any other value stays as it is.
 */
export function withPublicPrice(value: unknown): { readonly value: unknown } | { readonly fault: PublicPriceFault } {
  const name = publicNameOf(value)
  if (!isObject(value) || name === undefined) return { value }
  const found = findPublic(name)
  if (typeof found === 'string') return { fault: { path: ['price'], message: found } }
  const { price, contextTokens, maxOutputTokens } = found
  const known = { contextTokens, ...(maxOutputTokens ? { maxOutputTokens } : {}) }
  return { value: { ...known, ...value, price: { version: PUBLIC_PRICE_VERSION, ...price } } }
}

function publicNameOf(value: unknown): string | undefined {
  if (!isObject(value) || !('price' in value)) return undefined
  const { price } = value
  if (price === 'public') return 'id' in value ? String(value.id) : ''
  if (!isObject(price) || !('public' in price) || Object.keys(price).length > 1) return undefined
  return String(price.public)
}
