/** A model of the file, and the sample provider's model that stands in for it: `sample-small:no-usage`. */
export interface SoldModel {
  readonly id: string
  /** Names at the sample provider; if there are several, the first is nearly always asked first. */
  readonly asks: readonly [string, ...string[]]
  /** The shape of all its upstreams; if absent, each exists in both shapes. */
  readonly shape?: Shape
  /** Prices of longer prompts, in the file's form. */
  readonly tiers?: readonly { readonly above: number; readonly prompt: string; readonly completion: string }[]
  /** The most numbers that one of its embeddings has. */
  readonly dimensions?: number
  /** Whether its upstreams bill no answer that its client left. */
  readonly unbilled?: true
  /** Whether its upstream, of the shape openai, sends embeddings as numbers whatever is asked. */
  readonly inNumbers?: true
  /** Names to ask for instead, at upstreams of a given shape. */
  readonly instead?: Partial<Readonly<Record<Shape, string>>>
}

type Shape = 'openai' | 'anthropic'

/** A model whose name makes the sample provider have a trouble; `ok` for none. */
export const sold = (does: 'small' | 'large' | 'embedding', trouble: string): SoldModel => ({
  id: `${does}-${trouble}`,
  asks: [trouble === 'ok' ? `sample-${does}` : `sample-${does}:${trouble}`],
})

/** Nano-USD per thousand tokens of each kind, as in {@link modelsFile}. */
export const NANO_PER_THOUSAND = { fresh: 1_000_000n, cacheRead: 100_000n, cacheWrite: 1_250_000n, output: 2_000_000n }

const PRICE = {
  version: 'test',
  ...{ prompt: '0.000001', completion: '0.000002', cacheRead: '0.0000001', cacheWrite: '0.00000125' },
}

/** The weight of a model's first upstream relative to the next. */
const FIRST = 1e12

const UNBILLED = { cancelled: 'free' }

interface Waits {
  /** How long an upstream may be silent. */
  readonly patienceMs?: number | undefined
  /** How long an answer that is not streamed may take; as long if absent. */
  readonly wholePatienceMs?: number | undefined
  /** When a second one is asked in parallel; never if absent. */
  readonly hedgeAfterMs?: number | undefined
}

const unbilledAt = <Server extends object>(server: Server) => [
  { ...server, ...UNBILLED, name: 'unbilled', shape: 'openai' },
  { ...server, ...UNBILLED, name: 'unbilled-messages', shape: 'anthropic' },
]

const numbersAt = <Server extends object>(server: Server) => [
  { ...server, base64: false, name: 'numbers', shape: 'openai' },
]

/**
 * The Router's file. Each name at the sample provider is an upstream of each shape: `sample`, `sample-messages`, and
 * `second`, `second-messages` for the next one; `unbilled` are those that bill no answer that its client left,
 * and `numbers` knows no base64.
 */
export function modelsFile(
  url: string,
  models: readonly SoldModel[],
  { patienceMs = 60_000, wholePatienceMs = patienceMs, hedgeAfterMs }: Waits = {},
) {
  const places = ['sample', 'second'] as const
  const nameAt = (at: number, { unbilled, inNumbers }: Pick<SoldModel, 'unbilled' | 'inNumbers'>) =>
    unbilled ? 'unbilled' : inNumbers ? 'numbers' : places[at]
  const patience = { firstByteTimeoutMs: patienceMs, wholeTimeoutMs: wholePatienceMs, idleTimeoutMs: patienceMs }
  const waits = { ...patience, ...(hedgeAfterMs ? { hedgeAfterMs } : {}) }
  const server = { baseUrl: url, ...waits }
  return {
    upstreams: places
      .flatMap((name) => [
        { ...server, name, shape: 'openai' },
        { ...server, name: `${name}-messages`, shape: 'anthropic' },
      ])
      .concat(models.some(({ unbilled }) => unbilled) ? unbilledAt(server) : [])
      .concat(models.some(({ inNumbers }) => inNumbers) ? numbersAt(server) : []),
    models: models.map(({ id, asks, shape, instead, tiers, dimensions, ...kind }) => ({
      ...{ id, ownedBy: 'sample', created: 1_795_339_800, contextTokens: 32_768, maxOutputTokens: 400 },
      capabilities: asks[0].startsWith('sample-embedding') ? ['embeddings'] : ['chat', 'responses', 'messages'],
      price: { ...PRICE, ...(tiers ? { tiers } : {}) },
      ...(dimensions ? { dimensions } : {}),
      upstreams: asks.flatMap((model, at) =>
        shapesOf(shape).map((each) => ({
          upstream: each === 'openai' ? nameAt(at, kind) : `${nameAt(at, kind)}-messages`,
          model: instead?.[each] ?? model,
          weight: at === 0 ? FIRST : 1,
        })),
      ),
    })),
  }
}

const shapesOf = (only: Shape | undefined): readonly Shape[] => (only ? [only] : ['openai', 'anthropic'])
