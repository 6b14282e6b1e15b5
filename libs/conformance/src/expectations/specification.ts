/**
 * The exact members of the objects in the HTTP interface's specification, kept separate from the contract so that a
 * change to one conflicts with the other. `deploy` of a network state and `kind` of a settlement are our additions.
 */
export const FIELDS = {
  discoveryEnvelope: ['protocol', 'items', 'nextCursor', 'unavailableKinds', 'rankingVersion'],
  discoveryItem: ['ref', 'card', 'kind', 'provenance', 'group', 'fee', 'verification', 'execution', 'action'],
  card: ['title', 'summary', 'byline', 'badges', 'facts'],
  badge: ['code', 'label'],
  fact: ['label', 'value'],
  fee: ['bps', 'label'],
  execution: ['mode', 'url', 'method', 'network', 'payable'],
  action: ['type', 'href'],
  service: [
    'id',
    'name',
    'description',
    'category',
    'tier',
    'group',
    'fee',
    'verified',
    'verification',
    'wrapped',
    'lastCheckedAt',
    'liveness',
    'conformance',
    'price',
    'networks',
    'endpoints',
  ],
  liveness: ['uptime7d', 'latencyP50Ms', 'latencyP95Ms', 'checks7d'],
  conformance: ['declaredVersion', 'versionConformant', 'offerTransport', 'issues'],
  endpoint: ['name', 'method', 'url', 'price', 'description', 'payment'],
  endpointPayment: ['scheme', 'network', 'asset', 'payTo', 'checkedAt'],
  splitters: ['feeBp', 'networkStates'],
  networkState: [
    'network',
    'name',
    'chainId',
    'usdcAddress',
    'factoryAddress',
    'splitterAddress',
    'deployed',
    'balanceWei',
    'balanceUsdc',
    'deploy',
  ],
  diagnosed: ['state', 'finding', 'message', 'mend', 'docs', 'httpStatus', 'offered', 'wanted', 'issues'],
  probeX402: ['kind', 'x402Version', 'accepts', 'endpoint', 'operations', 'conformance'],
  probeMpp: ['kind', 'endpoint', 'operations', 'challenge'],
  probePlain: ['kind', 'operations'],
  probeMcp: ['kind', 'endpoint', 'operations', 'tools'],
  edited: ['ok', 'slug', 'name', 'description'],
  rechecked: ['ok', 'outcome', 'checkedAt'],
  stats: ['range', 'totals', 'buckets', 'catalogue', 'concentration'],
  activityItem: [
    'kind',
    'txHash',
    'network',
    'observedAt',
    'listing',
    'payer',
    'payTo',
    'amountUsd',
    'asset',
    'blockNumber',
  ],
  activityListing: ['ref', 'name', 'group'],
  addressActivity: ['address', 'role', 'totals', 'buckets', 'topListings', 'items', 'nextCursor'],
  offerEntry: ['scheme', 'network', 'asset', 'amount', 'payTo', 'maxTimeoutSeconds', 'extra'],
  offerExtra: ['name', 'version', 'assetTransferMethod'],
  stakeView: ['owner', 'epoch', 'stake', 'computeTodayUsd', 'stakeUrl'],
  routerView: ['compute', 'balance'],
  routerCompute: ['allowanceUsd', 'spentTodayUsd', 'remainingTodayUsd', 'resetsAt', 'ownerLimitUsd', 'ownerSpentUsd'],
  settlementEvidence: ['success', 'payer', 'transaction', 'network', 'amount', 'extra'],
} as const

/** The groups in the order in which discovery shows them. */
export const GROUP_ORDER = ['svc', 'added', 'partner', 'external'] as const
export const RANGES = ['24h', '7d', '30d'] as const

/** The most buckets that a range can overlap: of an hour, a quarter day, a day, including partial ones. */
export const MOST_BUCKETS = { '24h': 25, '7d': 29, '30d': 31 } as const

/** The statement that the EIP-4361 message of an agent link must contain. */
export const LINK_STATEMENT = 'Link this wallet to a service account as an agent.'
