import {
  type AgentFeedback,
  burnObserved,
  burnReverted,
  type CatalogueEntry,
  chainProgressed,
  identityChanged,
  identityReverted,
  listingChanged,
  listingRemoved,
  type OfferChange,
  catalog as operations,
  paymentSettled,
  postingChanged,
  probeCompleted,
  type Range,
  type Stats,
  settlementAttributed,
  settlementObserved,
  settlementReverted,
  splitterCreated,
  splitterReverted,
  supplyChanged,
  supplyReverted,
  type WalletUsage,
} from '@callboard/contract'
import { derived, on, onBatch, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onBurnObserved } from './consumers/burn-observed.ts'
import { onBurnReverted } from './consumers/burn-reverted.ts'
import { onChainProgressed } from './consumers/chain-progressed.ts'
import { onIdentityChanged } from './consumers/identity-changed.ts'
import { onIdentityReverted } from './consumers/identity-reverted.ts'
import { onListingChanged } from './consumers/listing-changed.ts'
import { onListingRemoved } from './consumers/listing-removed.ts'
import { onPayments } from './consumers/payments.ts'
import { onPostingChanged } from './consumers/posting-changed.ts'
import { onProbeCompleted } from './consumers/probe-completed.ts'
import { onSettlementsAttributed } from './consumers/settlement-attributed.ts'
import { onSplitterCreated } from './consumers/splitter-created.ts'
import { onSplitterReverted } from './consumers/splitter-reverted.ts'
import { onSupplyChanged } from './consumers/supply-changed.ts'
import { onSupplyReverted } from './consumers/supply-reverted.ts'
import type { AddressRead, Resources } from './context.ts'
import { costCache } from './cost-cache.ts'
import { Directory } from './directory/directory.ts'
import { SerializedItems } from './directory/serialized-items.ts'
import { Follower } from './following/follower.ts'
import { judgePayments } from './jobs/judge-payments.ts'
import { sweepChecks } from './jobs/sweep-checks.ts'
import { sweepPostings } from './jobs/sweep-postings.ts'
import { sweepRemoved } from './jobs/sweep-removed.ts'
import { sweepReports } from './jobs/sweep-reports.ts'
import { activity } from './operations/activity.ts'
import { addressActivity } from './operations/address-activity.ts'
import { apiCatalog } from './operations/api-catalog.ts'
import { burns } from './operations/burns.ts'
import { discovery } from './operations/discovery.ts'
import { entry } from './operations/entry.ts'
import { feed } from './operations/feed.ts'
import { identity } from './operations/identity.ts'
import { list } from './operations/list.ts'
import { listingFeed } from './operations/listing-feed.ts'
import { places } from './operations/places.ts'
import { posting } from './operations/posting.ts'
import { readInvokeLink } from './operations/read-invoke-link.ts'
import { reports } from './operations/reports.ts'
import { search } from './operations/search.ts'
import { services } from './operations/services.ts'
import { stats } from './operations/stats.ts'
import { submitReport } from './operations/submit-report.ts'
import { supplyCirculating } from './operations/supply-circulating.ts'
import { supplyTotal } from './operations/supply-total.ts'
import { walletUsage } from './operations/wallet-usage.ts'
import * as projection from './store/migrations/0001-projection.ts'
import * as changes from './store/migrations/0002-changes.ts'
import * as calls from './store/migrations/0003-calls.ts'
import * as sharedSettlements from './store/migrations/0004-shared-settlements.ts'
import * as burnLedger from './store/migrations/0005-burns.ts'
import * as truthMeter from './store/migrations/0006-truth-meter.ts'
import * as feedOrder from './store/migrations/0007-feed.ts'
import * as supportReports from './store/migrations/0008-support-reports.ts'
import * as offers from './store/migrations/0009-offers.ts'
import * as identities from './store/migrations/0010-identities.ts'
import * as postings from './store/migrations/0011-postings.ts'
import * as usage from './store/migrations/0012-usage.ts'
import * as windows from './store/migrations/0013-windows.ts'
import * as ledgerInOrder from './store/migrations/0014-ledger-in-order.ts'
import * as indexOfSharers from './store/migrations/0015-index-of-sharers.ts'
import * as agentChangesByKind from './store/migrations/0016-agent-changes-by-kind.ts'
import * as askedOnce from './store/migrations/0017-asked-once.ts'
import type { CatalogTables } from './store/tables.ts'
import { ttlCache } from './ttl-cache.ts'
import { versionCache } from './version-cache.ts'

/** The activity and the sums may lag a little; both events of a payment come within this time. */
const PAYMENTS_LINGER_MS = 200

/** The changes of this many listings are kept, each with a feed of at most half a million characters. */
const CHANGED_LISTINGS = 100

/** Serves every public read, from tables built from events only. */
export const catalog = service<typeof Config, CatalogTables, Resources, typeof operations>({
  name: 'catalog',
  config: Config,
  migrations: {
    '0001-projection': projection,
    '0002-changes': changes,
    '0003-calls': calls,
    '0004-shared-settlements': sharedSettlements,
    '0005-burns': burnLedger,
    '0006-truth-meter': truthMeter,
    '0007-feed': feedOrder,
    '0008-support-reports': supportReports,
    '0009-offers': offers,
    '0010-identities': identities,
    '0011-postings': postings,
    '0012-usage': usage,
    '0013-windows': windows,
    '0014-ledger-in-order': ledgerInOrder,
    '0015-index-of-sharers': indexOfSharers,
    '0016-agent-changes-by-kind': agentChangesByKind,
    '0017-asked-once': askedOnce,
  },
  open: async (ctx) => {
    const directory = new Directory()
    const follower = new Follower(directory, ctx)
    await follower.start()
    const stats = ttlCache<Range, Stats>(ctx.config.STATS_CACHE_MS, ctx.clock)
    const feedback = costCache<AgentFeedback>()
    const agentTotals = costCache<number>()
    const addresses = costCache<AddressRead>()
    const usages = costCache<WalletUsage>()
    const weeks = costCache<CatalogueEntry['week']>()
    const serializedItems = derived(
      () => ctx.config.LINK_SIGNING_KEY,
      ([key]) => new SerializedItems(key),
    )
    const offerChanges = versionCache<OfferChange[]>(CHANGED_LISTINGS)
    const listingFeeds = versionCache<string>(CHANGED_LISTINGS)
    const kept = { stats, feedback, agentTotals, addresses, usages, weeks, offerChanges, listingFeeds }
    return { directory, follower, serializedItems, ...kept, close: () => follower.stop() }
  },
  operations,
  serves: {
    ...{
      discovery,
      posting,
      services,
      search,
      list,
      entry,
      places,
      stats,
      activity,
      addressActivity,
      burns,
      apiCatalog,
    },
    ...{
      walletUsage,
      identity,
      supplyTotal,
      supplyCirculating,
      feed,
      listingFeed,
      submitReport,
      reports,
      readInvokeLink,
    },
  },
  consumes: [
    on(listingChanged, onListingChanged),
    on(listingRemoved, onListingRemoved),
    on(postingChanged, onPostingChanged),
    on(probeCompleted, onProbeCompleted),
    on(burnObserved, onBurnObserved),
    on(burnReverted, onBurnReverted),
    on(chainProgressed, onChainProgressed),
    on(splitterCreated, onSplitterCreated),
    on(splitterReverted, onSplitterReverted),
    on(supplyChanged, onSupplyChanged),
    on(supplyReverted, onSupplyReverted),
    on(identityChanged, onIdentityChanged),
    on(identityReverted, onIdentityReverted),
    ...onBatch([settlementObserved, settlementReverted, paymentSettled], PAYMENTS_LINGER_MS, onPayments),
    ...onBatch([settlementAttributed], PAYMENTS_LINGER_MS, onSettlementsAttributed),
  ],
  jobs: [judgePayments, sweepReports, sweepPostings, sweepChecks, sweepRemoved],
})
