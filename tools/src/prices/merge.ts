import type { Priced, Prices, Second, Source, Tables } from './tables.ts'

/** The providers whose models are included, with their names in the second table. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistral',
  deepseek: 'deepseek',
  'x-ai': 'xai',
  groq: 'groq',
  moonshotai: 'moonshotai',
}

/** The first table's prices for which our rows have a member. */
const ROW = {
  input_mtok: 'prompt',
  output_mtok: 'completion',
  cache_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite',
} as const
type Kind = keyof typeof ROW
const KINDS = Object.keys(ROW) as Kind[]
/** Prices for something other than text tokens, and models that are called elsewhere. */
const OTHER_PRICES = /^(output_(audio|image|video|citation|reasoning)|audio_hours|input_document|input_text_messages)/
const NOT_SOLD = /tts|audio|transcribe|voxtral|computer-use|-search|deep-research|turbo-instruct|^google\/claude/

/** Prices of tokens, as decimal text. */
type Row = Readonly<Partial<Record<(typeof ROW)[Kind], string>>>

/** Why a model is left out, and both tables' values where they differ. */
export interface Disputed {
  readonly id: string
  readonly provider: string
  readonly field: string
  readonly values: readonly [number, number]
}

export interface PublicModel {
  readonly id: string
  readonly provider: string
  readonly contextTokens: number
  readonly maxOutputTokens?: number
  readonly price: Row & { readonly tiers?: readonly (Row & { readonly above: number })[] }
  /** The day from which the provider has another price. */
  readonly until?: string
  /** What the provider bills separately and our rows have no price for. */
  readonly unpriced?: readonly string[]
  /** Whether the second table has the same prices. */
  readonly confirmed: boolean
}

/** Merges both tables: prices from the first, contexts and lengths from either; disagreements are left out. */
export function merge(tables: Tables) {
  const models: PublicModel[] = []
  const disputed: Disputed[] = []
  const omitted: { id: string; provider: string; why: string }[] = []
  for (const [provider, there] of Object.entries(PROVIDERS)) {
    const others = tables.secondModels(there).map((one) => ({ ...one, known: tables.idOf(provider, one.id) }))
    for (const model of tables.models(provider)) {
      if (model.deprecated || NOT_SOLD.test(`${provider}/${model.id}`)) continue
      const seconds = others.filter(({ known }) => known === model.id)
      const read = rowOf(model, seconds, tables.source)
      if ('why' in read) {
        if (read.why !== '') omitted.push({ id: model.id, provider, why: read.why })
        continue
      }
      const differences = differencesOf(model.id, provider, read.prices, seconds)
      disputed.push(...differences)
      if (differences.length === 0) models.push({ ...{ id: model.id, provider }, ...read.row })
    }
  }
  const { source, second } = tables
  return { source, second, models, disputed, omitted }
}

type Sold = Omit<PublicModel, 'id' | 'provider'>

function rowOf(
  model: Priced,
  seconds: readonly Second[],
  { date }: Source,
): { row: Sold; prices: Prices } | { why: string } {
  const dated = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  if (dated.some(({ constraint }) => constraint?.type === 'time_of_date')) {
    return { why: 'its price depends on the time of day' }
  }
  const startOf = ({ constraint }: (typeof dated)[number]) =>
    constraint?.type === 'start_date' ? constraint.start_date : ''
  const prices = dated.findLast((one) => startOf(one) <= date)?.prices ?? {}
  const until = dated.map(startOf).find((start) => start > date)
  const contexts = [model.context_window, ...seconds.map(({ limit }) => limit?.context)].filter(
    (one) => one !== undefined,
  )
  const isOther = Object.keys(prices).some((key) => OTHER_PRICES.test(key)) || prices.input_mtok === undefined
  if (isOther || contexts.length === 0) return { why: '' }
  const contextTokens = Math.max(...contexts)
  const price = priceOf(prices, contextTokens)
  if (!price) return { why: 'its price has more decimals than a row' }
  const outputs = seconds.flatMap(({ limit }) => limit?.output || [])
  const unpriced = Object.keys(prices).filter((key) => !(key in ROW))
  const row = {
    contextTokens,
    ...(outputs.length > 0 ? { maxOutputTokens: Math.min(...outputs) } : {}),
    price,
    ...(until === undefined ? {} : { until }),
    ...(unpriced.length > 0 ? { unpriced } : {}),
    confirmed: seconds.some(({ cost }) => cost !== undefined),
  }
  return { row, prices }
}

const baseOf = (amount: Prices[string]) => (typeof amount === 'object' ? amount.base : amount)

/** The prices of a model, including those for longer prompts, within its context. */
function priceOf(prices: Prices, contextTokens: number): PublicModel['price'] | undefined {
  const base = priceAbove(prices, 0)
  const starts = KINDS.flatMap((kind) => tiersOf(prices[kind]).map(({ start }) => start))
  const reached = [...new Set(starts)].filter((start) => start < contextTokens).sort((one, two) => one - two)
  const tiers = reached.map((above) => {
    const row = priceAbove(prices, above)
    return row && { above, ...row }
  })
  const known = tiers.filter((tier) => tier !== undefined)
  if (!base || known.length < tiers.length) return undefined
  return known.length === 0 ? base : { ...base, tiers: known }
}

const tiersOf = (amount: Prices[string]) => (typeof amount === 'object' ? amount.tiers : [])

/** The price for prompts of more than the given number of tokens. */
const amountAbove = (amount: Prices[string], above: number) =>
  tiersOf(amount)
    .toSorted((one, two) => one.start - two.start)
    .findLast(({ start }) => start <= above)?.price ?? baseOf(amount)

function priceAbove(prices: Prices, above: number): Row | undefined {
  const price: Partial<Record<keyof Row, string>> = {}
  for (const kind of KINDS) {
    const amount = amountAbove(prices[kind], above)
    // An embedding model has no output price; it counts as 0.
    if (amount === undefined && kind !== 'output_mtok') continue
    const text = perToken(amount ?? 0)
    if (text === undefined) return undefined
    price[ROW[kind]] = text
  }
  return price
}

/** USD for one token as decimal text, exactly; undefined for more than twelve decimals. */
export function perToken(million: number): string | undefined {
  const [whole = '0', fraction = ''] = String(million).split('.')
  if (!/^\d+$/.test(whole) || !/^\d*$/.test(fraction)) return undefined
  const digits = `${whole.padStart(7, '0')}${fraction}`
  const at = digits.length - fraction.length - 6
  const decimals = digits.slice(at).replace(/0+$/, '')
  if (decimals.length > 12) return undefined
  const before = digits.slice(0, at).replace(/^0+(?=\d)/, '')
  return decimals === '' ? before : `${before}.${decimals}`
}

function differencesOf(id: string, provider: string, prices: Prices, seconds: readonly Second[]): Disputed[] {
  const found = seconds.flatMap(({ cost }) =>
    KINDS.flatMap((kind) => {
      const [ours, theirs] = [baseOf(prices[kind]), cost?.[SECOND_KINDS[kind]]]
      // The second table rounds to cents per million tokens.
      const isSame =
        ours === undefined || theirs === undefined || ours === theirs || Math.round(ours * 100) / 100 === theirs
      return isSame ? [] : [{ id, provider, field: ROW[kind], values: [ours, theirs] as const }]
    }),
  )
  return found.filter((one, at) => found.findIndex(({ field }) => field === one.field) === at)
}

const SECOND_KINDS = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cache_read',
  cache_write_mtok: 'cache_write',
} as const
