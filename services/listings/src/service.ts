import {
  eventName,
  listingChanged,
  listingRemoved,
  MOST_POSTING_DAYS,
  listings as operations,
  paymentSettled,
  postingChanged,
  probeCompleted,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { onBatch, service } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import { afterRestore } from './after-restore.ts'
import { Config } from './config.ts'
import { onPayments } from './consumers/payments.ts'
import { onProbesCompleted } from './consumers/probe-completed.ts'
import { calls, type Resources } from './context.ts'
import { abridgeSnapshots } from './jobs/abridge-snapshots.ts'
import { importSources } from './jobs/import-sources.ts'
import { listOwnServices } from './jobs/own-services.ts'
import { readSourcesFile } from './jobs/sources-file.ts'
import { sweepDrafts } from './jobs/sweep-drafts.ts'
import { sweepMirror } from './jobs/sweep-mirror.ts'
import { tendPostings } from './jobs/tend-postings.ts'
import { listingsMeters, readListings } from './meters.ts'
import { mirrorMeters, readMirror } from './mirror/meters.ts'
import { claim } from './operations/claim.ts'
import { claimNonce } from './operations/claim-nonce.ts'
import { closePosting } from './operations/close-posting.ts'
import { edit } from './operations/edit.ts'
import { editPosting } from './operations/edit-posting.ts'
import { mine } from './operations/mine.ts'
import { myPostings } from './operations/my-postings.ts'
import { payoutNonce } from './operations/payout-nonce.ts'
import { probe } from './operations/probe.ts'
import { publish } from './operations/publish.ts'
import { publishPosting } from './operations/publish-posting.ts'
import { replace } from './operations/replace.ts'
import { resync } from './operations/resync.ts'
import { review } from './operations/review.ts'
import { reviewMirrored } from './operations/review-mirrored.ts'
import { reviewPosting } from './operations/review-posting.ts'
import { setStatus } from './operations/set-status.ts'
import { sources } from './operations/sources.ts'
import { splitters } from './operations/splitters.ts'
import { visibility } from './operations/visibility.ts'
import { waiting } from './operations/waiting.ts'
import { why } from './operations/why.ts'
import { withdraw } from './operations/withdraw.ts'
import { ProbesUnderWay } from './probing/probes-under-way.ts'
import { lookAtFactories, openResources } from './splitter-factories.ts'
import * as listingTables from './store/migrations/0001-listings.ts'
import * as reviewAndPrices from './store/migrations/0002-review-and-prices.ts'
import * as sharedSettlements from './store/migrations/0003-shared-settlements.ts'
import * as withdrawal from './store/migrations/0004-withdrawal.ts'
import * as rejection from './store/migrations/0005-rejection.ts'
import * as mirror from './store/migrations/0006-mirror.ts'
import * as claims from './store/migrations/0007-claims.ts'
import * as suspension from './store/migrations/0008-suspension.ts'
import * as postings from './store/migrations/0009-postings.ts'
import * as rejectedResources from './store/migrations/0010-rejected-resources.ts'
import * as judgedRows from './store/migrations/0011-judged-rows.ts'
import * as readTimes from './store/migrations/0012-read-times.ts'
import * as wholeSnapshots from './store/migrations/0013-whole-snapshots.ts'
import type { ListingsTables } from './store/tables.ts'

/** What a listing earned may lag a little; both events of a payment come within this time. */
const PAYMENTS_LINGER_MS = 200

/** Twice as long as a posting may be open after its last change: by then no reader keeps it either. */
const POSTING_TOLD_MS = 2 * MOST_POSTING_DAYS * DAY_MS

/** Checks of one visit arrive together. */
const CHECKS_LINGER_MS = 20

/** The provider side: drafts proven by their payout wallet, their publication in the directory, and what they earn. */
export const listings = service<typeof Config, ListingsTables, Resources, typeof operations, typeof calls>({
  name: 'listings',
  config: Config,
  migrations: {
    '0001-listings': listingTables,
    '0002-review-and-prices': reviewAndPrices,
    '0003-shared-settlements': sharedSettlements,
    '0004-withdrawal': withdrawal,
    '0005-rejection': rejection,
    '0006-mirror': mirror,
    '0007-claims': claims,
    '0008-suspension': suspension,
    '0009-postings': postings,
    '0010-rejected-resources': rejectedResources,
    '0011-judged-rows': judgedRows,
    '0012-read-times': readTimes,
    '0013-whole-snapshots': wholeSnapshots,
  },
  open: async (ctx) => {
    const mirror = mirrorMeters(ctx.metrics.registry)
    readMirror(mirror, ctx.metrics.collectors, ctx)
    readListings(listingsMeters(ctx.metrics.registry), ctx.metrics.collectors, ctx)
    return { ...(await openResources(ctx)), mirror, probes: new ProbesUnderWay() }
  },
  operations,
  serves: {
    ...{ mine, payoutNonce, claimNonce, claim, splitters, probe, publish, setStatus, edit, replace, withdraw, resync },
    ...{ review, sources, reviewMirrored, visibility, waiting, why },
    ...{ publishPosting, myPostings, editPosting, closePosting, reviewPosting },
  },
  calls,
  consumes: [
    ...onBatch([probeCompleted], CHECKS_LINGER_MS, onProbesCompleted),
    ...onBatch([settlementObserved, settlementReverted, paymentSettled], PAYMENTS_LINGER_MS, onPayments),
  ],
  publishes: [listingChanged, listingRemoved, postingChanged],
  supersedes: [{ name: eventName(postingChanged), lastLongerMs: POSTING_TOLD_MS }],
  afterRestore,
  jobs: [
    ...[lookAtFactories, listOwnServices, readSourcesFile, importSources, sweepMirror, sweepDrafts, tendPostings],
    abridgeSnapshots,
  ],
})
