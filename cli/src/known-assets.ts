import type { KnownAsset } from '@callboard/client'
import { Usage } from './exit-codes.ts'

/** The assets named by `--asset`, which may be repeated. */
export const knownAssets = (values: unknown): KnownAsset[] =>
  Array.isArray(values) ? values.map((text) => assetOf(String(text))) : []

function assetOf(text: string): KnownAsset {
  const [network, asset] = text.split('/')
  if (!network || !asset) throw new Usage(`--asset: ${text} is not CAIP2/ADDRESS, for example eip155:8453/0x…`)
  return { network, asset }
}
