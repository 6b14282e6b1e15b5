import type { ListingOperation, ListingSnapshot } from '@callboard/contract'
import { decimalText, isoTime, USDC_DECIMALS } from '@callboard/values'
import { AddressText, Caip2Text } from '@callboard/x402'
import { payableIn } from './after-probe.ts'
import { statusOf, verificationOf } from './held-row.ts'
import type { Mirrored, MirrorFact } from './mirrored.ts'

const NO_FEE = { bps: 0, label: 'No network fee' } as const

/**
 * A mirrored row as everyone sees it: the texts are from its source or its own challenge, and the ways to pay from our
 * probe. It is `live` while the prober is to watch it; without a price it is not shown.
 */
export function mirrorSnapshot(row: Mirrored): ListingSnapshot {
  const { slug, version, claim, fact, held } = row
  const operation = operationOf(row)
  return {
    slug,
    version,
    name: held?.name ?? claim.title,
    description: held?.description ?? (fact?.described?.description || claim.description),
    category: claim.category,
    status: statusOf(row),
    verification: verificationOf(row),
    group: 'external',
    provenance: 'indexed',
    fee: { ...NO_FEE },
    operations: [operation],
    payTo: operation.payment ? [{ network: operation.payment.network, address: operation.payment.payTo }] : [],
    conformance: fact?.conformance ?? null,
    createdAt: isoTime(row.createdAt),
    listedAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  }
}

function operationOf({ method, url, claim, fact, state, reason }: Mirrored): ListingOperation {
  const described = fact?.described
  const inputSchema = described?.inputSchema ?? claim.inputSchema
  return {
    name: nameOf(url),
    method,
    url,
    description: described?.description ?? '',
    describedBy: 'endpoint',
    metadataEvidence: described?.metadataEvidence ?? 'none',
    ...(inputSchema ? { inputSchema } : {}),
    ...(described?.inputExample ? { inputExample: described.inputExample } : {}),
    ...(described?.outputSchema ? { outputSchema: described.outputSchema } : {}),
    ...(fact && state === 'payable' ? paymentOf(fact) : { payment: null, price: null }),
    ...(reason === null ? {} : { problem: reason }),
  }
}

/** Of the ways to pay that are supported, the one that a stock client takes. */
function paymentOf({ accepts, checkedAt }: MirrorFact): Pick<ListingOperation, 'payment' | 'price'> {
  const [offer] = payableIn(accepts)
  if (!offer) return { payment: null, price: null }
  const { scheme, network, asset, amount, payTo } = offer
  return {
    payment: {
      scheme,
      network: Caip2Text.parse(network),
      asset: AddressText.parse(asset),
      payTo: AddressText.parse(payTo),
      amount,
      checkedAt: isoTime(checkedAt),
    },
    price: decimalText(BigInt(amount), USDC_DECIMALS),
  }
}

const MAX_NAME = 80

/** The last part of the path, or the host. */
function nameOf(url: string): string {
  const { pathname, host } = new URL(url)
  return (pathname.split('/').findLast((part) => part !== '') ?? host).slice(0, MAX_NAME)
}

/** Whether two states of a row show the same: newer readings of the same offer are not a change. */
export function isShownAlike(one: Mirrored, other: Mirrored): boolean {
  return shown(one) === shown(other)
}

function shown(row: Mirrored): string {
  const { version: _, updatedAt: __, operations, ...rest } = mirrorSnapshot(row)
  const timeless = operations.map(({ payment, ...operation }) => ({
    ...operation,
    payment: payment && { ...payment, checkedAt: undefined },
  }))
  return JSON.stringify({ ...rest, operations: timeless })
}
