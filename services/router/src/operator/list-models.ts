import type { ModelEntry, RouterModels, UpstreamEntry } from '../domain/model.ts'
import type { PriceRow } from '../domain/price.ts'
import { UpstreamKeys } from '../models/upstream-keys.ts'

/** The output of an operator command, and the number of faults found. */
export interface Printed {
  readonly lines: readonly string[]
  readonly faults: number
}

/** Lists every model of the file with its prices and upstreams; of a key, only whether it is present. */
export async function listModels({ models, upstreams }: RouterModels): Promise<Printed> {
  const keys = new UpstreamKeys()
  const lines: string[] = []
  for (const model of models) {
    lines.push(modelLine(model))
    for (const { upstream: name, model: there = model.id, weight } of model.upstreams) {
      const upstream = upstreams.find((one) => one.name === name)
      if (!upstream) continue
      const asked = there === model.id ? '' : ` as ${there}`
      lines.push(`  ${name}${asked}: ${upstream.shape}, weight ${weight}, ${await keyText(keys, upstream)}`)
    }
  }
  lines.push(`${models.length} models, ${upstreams.length} upstreams`)
  return { lines, faults: 0 }
}

function modelLine({ id, price, contextTokens, maxOutputTokens, capabilities }: ModelEntry): string {
  const size = `context ${contextTokens}, answers up to ${maxOutputTokens}`
  return `${id} (${capabilities.join(', ')}): ${size}, price ${price.version}: ${priceText(price)}`
}

/** A price row in words, in USD per unit. */
const priceText = ({ version: _, tiers = [], ...kinds }: PriceRow): string =>
  [kindsText(kinds), ...tiers.map(({ above, ...dearer }) => `above ${above} input tokens: ${kindsText(dearer)}`)].join(
    '; ',
  )

const kindsText = (kinds: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(kinds)
    .map(([kind, usd]) => `${kind} ${usd}`)
    .join(', ')

/** Where a key comes from and whether it is present; never the key itself. */
async function keyText(keys: UpstreamKeys, upstream: UpstreamEntry): Promise<string> {
  const from = upstream.apiKeyEnv ?? upstream.apiKeyFile
  if (from === undefined) return 'no key wanted'
  return keys.keyOf(upstream).then(
    () => `key of ${from} present`,
    () => `key of ${from} missing here`,
  )
}
