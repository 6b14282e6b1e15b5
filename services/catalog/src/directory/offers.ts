import { isLess } from '../domain/price.ts'

/** Endpoints that are paid alike, as labels of what filters ask of them, at the lowest of their prices. */
export interface Offer<Label> {
  readonly labels: readonly Label[]
  readonly price: string
}

/** Merges offers with the same labels: one of them satisfies filters if the cheapest does. */
export function distinctOffers(offers: readonly Offer<string>[]): readonly Offer<string>[] {
  const byLabels = new Map<string, Offer<string>>()
  for (const offer of offers) {
    const key = JSON.stringify(offer.labels)
    const known = byLabels.get(key)
    if (!known || isLess(offer.price, known.price)) byLabels.set(key, offer)
  }
  return [...byLabels.values()]
}
