import { setTimeout as wait } from 'node:timers/promises'
import { fund, newAccount } from '@callboard/conformance/chain'
import type { DiscoveryItem } from '@callboard/contract'
import { buy } from '../../../libs/conformance/src/actors/buyer.ts'
import { percentile } from '../discovery/sampling.ts'
import type { Comparison, Figure } from '../figure.ts'
import { loadNote } from '../machine-load.ts'
import { type Search, startSearchable } from '../searchable/instance.ts'
import { read, startSeller } from '../searchable/seller.ts'

const LISTINGS = 100
const FEW_LISTINGS = 5
const BETWEEN_MS = 2
const GIVE_UP_MS = 30_000
/** The directory's promise. */
const PROMISED_MS = 2_000

/** How long from now until every replica shows the listing, in milliseconds. */
async function shownEverywhere(
  replicas: readonly Search[],
  q: string,
  isShown: (item: DiscoveryItem) => boolean,
): Promise<number> {
  const since = performance.now()
  await Promise.all(
    replicas.map(async (search) => {
      while (!(await search(q)).some(isShown)) {
        if (performance.now() - since > GIVE_UP_MS) throw new Error(`${q} was not found within ${GIVE_UP_MS} ms`)
        await wait(BETWEEN_MS)
      }
    }),
  )
  return performance.now() - since
}

const isPaid = ({ card }: DiscoveryItem): boolean => card.facts.some(({ label }) => label === 'calls')

export const figure: Figure = {
  title: 'From an answer to every replica of the directory',
  method:
    'A whole embedded instance runs with its chain, a provider on the stock @x402/express, and two replicas of the directory: the instance’s own, over HTTP, and one in another process on the same tables. 100 listings are activated, renamed, and bought once with the stock @x402/fetch, one after the other. The clock runs from the answer of the status route, of the edit, and of the paid call, until a search on both replicas shows the listing, its new name, and its first call. Both replicas are asked without a pause.',
  async run({ brief }) {
    const count = brief ? FEW_LISTINGS : LISTINGS
    const instance = await startSearchable()
    try {
      const { baseUrl, devnet, replicas } = instance
      const seller = await startSeller({ baseUrl, devnet }, count)
      const payer = newAccount()
      await fund(devnet, payer.address, { usdc: 10_000n * BigInt(count) })
      const times = { activation: [] as number[], edit: [] as number[], 'first payment': [] as number[] }
      for (const [at, url] of seller.urls.entries()) {
        const slug = await seller.publish(`Before${at}x`, url)
        const isIt = ({ ref }: DiscoveryItem) => ref === slug
        read(await seller.api.post(`/api/call/listings/${slug}/status`, { action: 'activate' }))
        times.activation.push(await shownEverywhere(replicas, `Before${at}x`, isIt))
        read(await seller.api.patch(`/api/call/listings/${slug}`, { name: `After${at}x` }))
        times.edit.push(await shownEverywhere(replicas, `After${at}x`, isIt))
        await buy(devnet, payer, url)
        const isBought = (item: DiscoveryItem) => isIt(item) && isPaid(item)
        times['first payment'].push(await shownEverywhere(replicas, `After${at}x`, isBought))
      }
      await seller.close()
      const comparisons = Object.entries(times).flatMap(([what, all]): Comparison[] => {
        const sorted = all.toSorted((a, b) => a - b)
        const at = (share: number) => ({ unit: 'ms', better: 'less' as const, ours: percentile(sorted, share) })
        return [
          { what: `${what} → searchable, p50`, ...at(0.5) },
          { what: `${what} → searchable, p99`, ...at(0.99), target: { value: PROMISED_MS } },
        ]
      })
      return {
        comparisons,
        notes: [loadNote(), 'A claim changes a listing as an edit does, and is not timed separately.'],
      }
    } finally {
      await instance.stop()
    }
  },
}
