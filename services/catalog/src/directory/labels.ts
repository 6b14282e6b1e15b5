/** Labels begin with a blank, so that they cannot be words. */
export const networkLabel = (network: string): string => ` network ${network}`
export const categoryLabel = (category: string): string => ` category ${category}`
export const assetLabel = (asset: string): string => ` asset ${asset.toLowerCase()}`
export const payToLabel = (payTo: string): string => ` payTo ${payTo.toLowerCase()}`
export const VOUCHED_FOR = ' vouched for'

interface Paid {
  readonly network: string
  readonly asset: string
}

/** The labels that facets count, each once. */
export const facetLabels = (category: string, payments: readonly Paid[]): readonly string[] => [
  categoryLabel(category),
  ...new Set(payments.flatMap(({ network, asset }) => [networkLabel(network), assetLabel(asset)])),
]
