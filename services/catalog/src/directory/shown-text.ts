import type { DirectoryListing, Listed, ShownOperation, ShownSnapshot } from '../domain/listed.ts'

/**
 * What is shown of a listing, as JSON without field names: half the text to hold, and half the time to read it when the
 * listing is shown. It never leaves the process, so no other process depends on the order of fields.
 */
export interface ShownText {
  readonly snapshot: string
  /** The results of its checks and payments. */
  readonly seen: string
}

type Fields<Of, Keys extends readonly (keyof Of)[]> = { -readonly [Index in keyof Keys]: Of[Keys[Index]] }
type Payment = NonNullable<ShownOperation['payment']>

type PaymentText = Fields<Payment, ['scheme', 'network', 'asset', 'payTo', 'checkedAt']>
type OperationText = [
  ...Fields<ShownOperation, ['name', 'method', 'url', 'description', 'price']>,
  payment: PaymentText | null,
]
type SnapshotText = [
  ...Fields<ShownSnapshot, ['slug', 'name', 'description', 'category', 'group', 'provenance', 'verification']>,
  feeBps: ShownSnapshot['fee']['bps'],
  feeLabel: ShownSnapshot['fee']['label'],
  operations: OperationText[],
]
type SeenText = [
  calls: number,
  checkedAtMs: number | null,
  mpp: Listed['mpp'],
  ...Fields<Listed['liveness'], ['uptime7d', 'latencyP50Ms', 'latencyP95Ms', 'checks7d']>,
  ...Fields<Listed['conformance'], ['declaredVersion', 'versionConformant', 'offerTransport', 'issues']>,
]

export function snapshotText(listing: ShownSnapshot): string {
  const { slug, name, description, category, group, provenance, verification, fee, operations } = listing
  const text: SnapshotText = [
    slug,
    name,
    description,
    category,
    group,
    provenance,
    verification,
    fee.bps,
    fee.label,
    operations.map(operationText),
  ]
  return JSON.stringify(text)
}

function operationText({ name, method, url, description, price, payment }: ShownOperation): OperationText {
  if (!payment) return [name, method, url, description, price, null]
  const { scheme, network, asset, payTo, checkedAt } = payment
  return [name, method, url, description, price, [scheme, network, asset, payTo, checkedAt]]
}

export function seenText({ calls, checkedAt, mpp, liveness, conformance }: Omit<DirectoryListing, 'snapshot'>): string {
  const { uptime7d, latencyP50Ms, latencyP95Ms, checks7d } = liveness
  const { declaredVersion, versionConformant, offerTransport, issues } = conformance
  const checkedAtMs = checkedAt?.getTime() ?? null
  const text: SeenText = [
    calls,
    checkedAtMs,
    mpp,
    uptime7d,
    latencyP50Ms,
    latencyP95Ms,
    checks7d,
    declaredVersion,
    versionConformant,
    offerTransport,
    issues,
  ]
  return JSON.stringify(text)
}

/** The listing in the form that is shown. */
export function listedOf({ snapshot, seen }: ShownText): DirectoryListing {
  const [calls, checkedAtMs, mpp, uptime7d, latencyP50Ms, latencyP95Ms, checks7d, ...conformance]: SeenText =
    JSON.parse(seen)
  const [declaredVersion, versionConformant, offerTransport, issues] = conformance
  return {
    snapshot: snapshotOf(JSON.parse(snapshot)),
    calls,
    checkedAt: checkedAtMs === null ? null : new Date(checkedAtMs),
    liveness: { uptime7d, latencyP50Ms, latencyP95Ms, checks7d },
    conformance: { declaredVersion, versionConformant, offerTransport, issues },
    mpp,
  }
}

function snapshotOf(text: SnapshotText): ShownSnapshot {
  const [slug, name, description, category, group, provenance, verification, bps, label, operations] = text
  const fee = { bps, label }
  return {
    slug,
    name,
    description,
    category,
    group,
    provenance,
    verification,
    fee,
    operations: operations.map(operationOf),
  }
}

function operationOf([name, method, url, description, price, paid]: OperationText): ShownOperation {
  if (!paid) return { name, method, url, description, price, payment: null }
  const [scheme, network, asset, payTo, checkedAt] = paid
  return { name, method, url, description, price, payment: { scheme, network, asset, payTo, checkedAt } }
}
