import { type ListingOperation, noChecks } from '@callboard/contract'
import type { ChainSet } from '@callboard/evm'
import { type Address, type Caip2, isoTime, ZERO_ADDRESS } from '@callboard/values'
import type { Discovery, PaymentRequired } from '@callboard/x402'
import type { Listing } from './listing.ts'
import { paidBy } from './offer.ts'

/** One of our own paid operations, as the directory shows it. */
export interface OwnService {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly operation: string
  readonly url: string
  /** What our offer says of input and output: nobody has to wait for a probe to read it. */
  readonly discovery: Discovery | undefined
}

/** What our own offer asks on one chain. */
export interface OwnPayment {
  readonly network: Caip2
  readonly payTo: Address
  readonly amount: string
}

/** What our offer asks on each configured chain; payments in anything but our USDC there are left out. */
export const ownPayments = ({ accepts }: Pick<PaymentRequired, 'accepts'>, chains: ChainSet): OwnPayment[] =>
  accepts.flatMap(({ network, asset, payTo, amount }) => {
    const chain = [...chains.values()].find((one) => one.network === network)
    return chain?.usdc.address === asset ? [{ network: chain.network, payTo: payTo as Address, amount }] : []
  })

/**
 * The listing of one of our own operations on one chain. A listing has one chain, so the first has the service's name
 * as its slug, and each further one has the chain's id appended. It belongs to the payee, who pays no fee to itself:
 * there is no splitter, and the payee takes its place.
 */
export function ownListing(
  service: OwnService,
  payments: readonly OwnPayment[],
  at: number,
  chains: ChainSet,
  now: number,
): Listing | undefined {
  const payment = payments[at]
  const chain = payment && chains.get(payment.network)
  if (!payment || !chain) return undefined
  const { network, payTo, amount } = payment
  const { name: chainName, chainId, usdc } = chain
  const price = paidBy(
    { scheme: 'exact', network, asset: usdc.address, amount, payTo, payable: true, notPayableReason: null },
    { network, asset: usdc.address, decimals: usdc.decimals },
    isoTime(now),
  )
  return {
    slug: at === 0 ? service.slug : `${service.slug}-${chainId}`,
    version: 1,
    owner: payTo,
    name: at === 0 ? service.name : `${service.name} on ${chainName}`,
    description: service.description,
    category: 'crypto',
    status: 'live',
    verification: 'verified',
    group: 'svc',
    provenance: 'first_party',
    fee: { bps: 0, label: 'No network fee' },
    network,
    payoutWallet: payTo,
    splitter: { address: payTo, factory: ZERO_ADDRESS, deployed: true },
    otherSplitters: payments
      .filter((other) => other !== payment)
      .map((other) => ({ network: other.network, address: other.payTo })),
    suspendedReason: null,
    rejection: null,
    reviewed: null,
    operations: [
      {
        name: service.name,
        method: 'POST',
        url: service.url,
        description: service.operation,
        metadataEvidence: service.discovery ? 'bazaar' : 'none',
        ...describedBy(service.discovery),
        ...price,
      },
    ],
    conformances: {},
    liveness: noChecks,
    createdAt: now,
    listedAt: now,
    updatedAt: now,
    withdrawnAt: null,
  }
}

const describedBy = ({
  inputSchema,
  inputExample,
  outputSchema,
}: Partial<Discovery> = {}): Partial<ListingOperation> => ({
  ...(inputSchema ? { inputSchema } : {}),
  ...(inputExample ? { inputExample } : {}),
  ...(outputSchema ? { outputSchema } : {}),
})

/**
 * The changes that an existing listing needs to match our own offer; undefined if it does. Its owner may edit its name
 * and texts, prices read by a probe are not overruled, and a suspended or rejected one stays so.
 */
export function changeOfOwn(held: Listing, wanted: Listing): Partial<Listing> | undefined {
  if (held.status === 'suspended' || held.status === 'rejected') return undefined
  const asksOther = wanted.operations.some((operation, at) => isAskedOtherwise(held.operations[at], operation))
  const isAsWanted = held.status === 'live' && held.verification === 'verified' && !asksOther
  if (isAsWanted && JSON.stringify(termsOf(held)) === JSON.stringify(termsOf(wanted))) return undefined
  return {
    ...termsOf(wanted),
    status: 'live',
    verification: 'verified',
    ...(asksOther ? { operations: wanted.operations } : {}),
  }
}

/** Whether our offer differs from the stored operation. If a probe found it unpaid, the price stays. */
function isAskedOtherwise(held: ListingOperation | undefined, { url, price, payment }: ListingOperation): boolean {
  if (!held || held.url !== url) return true
  return held.payment !== null && (held.price !== price || held.payment.payTo !== payment?.payTo)
}

/** Who is paid, and on which chain. */
const termsOf = ({ owner, network, payoutWallet, splitter, otherSplitters }: Listing) => ({
  owner,
  network,
  payoutWallet,
  splitter: { address: splitter.address, factory: splitter.factory, deployed: splitter.deployed },
  otherSplitters: otherSplitters.map(({ network, address }) => ({ network, address })),
})
