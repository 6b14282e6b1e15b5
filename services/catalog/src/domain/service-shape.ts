import type { Service } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { isPriced } from './check-summary.ts'
import type { Listed } from './listed.ts'
import { madeOnce } from './made-once.ts'
import { lowestPrice } from './price.ts'

/** A listing in the frozen services shape, made once; endpoints whose offer was never read are omitted. */
export const serviceOf: (listed: Listed) => Service = madeOnce(
  ({ snapshot, liveness, conformance, checkedAt }: Listed): Service => {
    const { slug, name, description, category, group, fee, verification } = snapshot
    const priced = snapshot.operations.filter(isPriced)
    return {
      id: slug,
      name,
      description,
      category,
      tier: tierOf(snapshot),
      group,
      fee,
      verified: verification === 'verified',
      verification,
      wrapped: false,
      lastCheckedAt: checkedAt && isoTime(checkedAt.getTime()),
      liveness,
      conformance,
      price: lowestPrice(priced.map(({ price }) => price)),
      networks: [...new Set(priced.map(({ payment }) => payment.network))],
      endpoints: priced.map(({ name, method, url, price, description, payment }) => ({
        name,
        method,
        url,
        price,
        description,
        payment: {
          scheme: payment.scheme,
          network: payment.network,
          asset: payment.asset,
          payTo: payment.payTo,
          checkedAt: payment.checkedAt,
        },
      })),
    }
  },
)

function tierOf({ verification, group }: Pick<Service, 'verification' | 'group'>): Service['tier'] {
  if (verification === 'verified') return 'verified'
  return group === 'external' ? 'mirrored' : 'listed'
}
