/** The prices of the walk's models, in pico-USD per token: figures that require rounding. */
export const PICO = { fresh: 1_230_001n, cacheRead: 123_457n, cacheWrite: 1_537_503n, output: 4_570_003n } as const

/** How a model's calls go at the sample provider, and its weight in the walk. */
interface Sold {
  readonly word: string
  readonly weight: number
}

/**
 * The paced ones are those that a kill interrupts. `endless-line` is omitted: its 64 MB per call are a matter of
 * memory, and have a test of their own.
 */
const TEXT: readonly Sold[] = [
  { word: 'ok', weight: 40 },
  { word: 'delay-12', weight: 22 },
  { word: 'cached', weight: 6 },
  { word: 'no-usage', weight: 4 },
  { word: 'split-utf8', weight: 3 },
  { word: 'die-in-stream', weight: 4 },
  { word: 'error-in-stream', weight: 3 },
  { word: 'error-500', weight: 3 },
  { word: 'error-429', weight: 1 },
  { word: 'error-401', weight: 1 },
  { word: 'error-400', weight: 2 },
  { word: 'reset', weight: 2 },
  { word: 'silence', weight: 1 },
  { word: 'slow-first:delay-400', weight: 2 },
  { word: 'usage-twice', weight: 2 },
  { word: 'usage-only-end', weight: 2 },
  { word: 'usage-negative', weight: 1 },
  { word: 'usage-huge', weight: 1 },
  { word: 'delay-60', weight: 0 },
]
const EMBEDDINGS: readonly Sold[] = [
  { word: 'ok', weight: 8 },
  { word: 'delay-12', weight: 3 },
  { word: 'error-500', weight: 1 },
  { word: 'reset', weight: 1 },
]

/** A model whose upstream claims impossible usage: the held amount is charged, whatever the usage says. */
export const OVERCLAIMING = idOf('small', 'usage-huge')
/** A model without faults. */
export const SOUND = idOf('small', 'ok')

/** A model whose streams take some seconds; the walk itself does not call it. */
export const PACED = idOf('small', 'delay-60')

/** Model ids, repeated by weight. */
export const TEXT_MODELS = repeated('small', TEXT)
export const EMBEDDING_MODELS = repeated('embedding', EMBEDDINGS)

function idOf(does: 'small' | 'embedding', word: string): string {
  return `${does}-${word.replaceAll(':', '-')}`
}

function repeated(does: 'small' | 'embedding', all: readonly Sold[]): readonly string[] {
  return all.flatMap(({ word, weight }) => Array.from({ length: weight }, () => idOf(does, word)))
}

/** How long an upstream may be silent: a call of `silence` takes that long at each of two. */
const PATIENCE_MS = 2_000
const usd = (pico: bigint): string => `0.${pico.toString().padStart(12, '0')}`

/** The Router's file, as text. Every text model has an upstream of each format, so that some answers are translated. */
export function modelsFile(url: string): string {
  const waits = { firstByteTimeoutMs: PATIENCE_MS, wholeTimeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS }
  const { fresh, cacheRead, cacheWrite, output } = PICO
  const price = {
    version: 'walk',
    ...{ prompt: usd(fresh), completion: usd(output), cacheRead: usd(cacheRead), cacheWrite: usd(cacheWrite) },
  }
  const modelOf = (does: 'small' | 'embedding', word: string) => ({
    ...{ id: idOf(does, word), ownedBy: 'sample', created: 1_795_339_800, contextTokens: 32_768, maxOutputTokens: 200 },
    capabilities: does === 'embedding' ? ['embeddings'] : ['chat', 'responses', 'messages'],
    price,
    upstreams: (does === 'embedding' ? ['sample'] : ['sample', 'sample-messages']).map((upstream) => ({
      upstream,
      model: word === 'ok' ? `sample-${does}` : `sample-${does}:${word}`,
    })),
  })
  // JSON is YAML.
  return JSON.stringify({
    upstreams: [
      { name: 'sample', baseUrl: url, shape: 'openai', ...waits },
      { name: 'sample-messages', baseUrl: url, shape: 'anthropic', ...waits },
    ],
    models: [
      ...TEXT.map(({ word }) => modelOf('small', word)),
      ...EMBEDDINGS.map(({ word }) => modelOf('embedding', word)),
    ],
  })
}
