import { expect, test } from 'vitest'
import { distinctOffers } from './offers.ts'

test('offers that are paid alike are one, at the lowest of their prices', () => {
  const offer = (labels: string[], price: string) => ({ labels, price })
  expect(
    distinctOffers([
      offer(['n', 'a'], '2'),
      offer(['n', 'b'], '1'),
      offer(['n', 'a'], '0.50'),
      offer(['n', 'a'], '0.5'),
    ]),
  ).toEqual([offer(['n', 'a'], '0.50'), offer(['n', 'b'], '1')])
})
