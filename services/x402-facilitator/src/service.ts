import {
  listingChanged,
  listingRemoved,
  x402Facilitator as operations,
  paymentSettled,
  probeRequested,
  resourceProbed,
} from '@callboard/contract'
import { on, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onListingChanged } from './consumers/listing-changed.ts'
import { onListingRemoved } from './consumers/listing-removed.ts'
import { onResourceProbed } from './consumers/resource-probed.ts'
import type { Resources } from './context.ts'
import { forgetForeign } from './jobs/forget-foreign.ts'
import { forgetOldGas } from './jobs/forget-gas.ts'
import { forgetCrowded, forgetRefused } from './jobs/forget-refused.ts'
import { queueProbes } from './jobs/queue-probes.ts'
import { rebroadcastStuck } from './jobs/rebroadcast-stuck.ts'
import { settleOpen } from './jobs/settle-open.ts'
import { sweepResources } from './jobs/sweep-resources.ts'
import { watchBlocks } from './jobs/watch-blocks.ts'
import { open } from './open.ts'
import { decode } from './operations/decode.ts'
import { discoveryResources } from './operations/discovery-resources.ts'
import { discoverySearch } from './operations/discovery-search.ts'
import { faucet } from './operations/faucet.ts'
import { health } from './operations/health.ts'
import { offer } from './operations/offer.ts'
import { openapi } from './operations/openapi.ts'
import { purchase } from './operations/purchase.ts'
import { purchaseState } from './operations/purchase-state.ts'
import { settle } from './operations/settle.ts'
import { status } from './operations/status.ts'
import { supported } from './operations/supported.ts'
import { verify } from './operations/verify.ts'
import { wellKnown } from './operations/well-known.ts'
import { afterRestore } from './restore/after-restore.ts'
import * as payments from './store/migrations/0001-payments.ts'
import * as batches from './store/migrations/0002-batches.ts'
import * as resources from './store/migrations/0003-resources.ts'
import * as gasBudgets from './store/migrations/0004-gas-budgets.ts'
import * as purchaseIdentifiers from './store/migrations/0004-purchase-identifiers.ts'
import * as confirmations from './store/migrations/0005-confirmations.ts'
import * as requestId from './store/migrations/0006-request-id.ts'
import * as refused from './store/migrations/0007-refused.ts'
import * as payerDebits from './store/migrations/0008-payer-debits.ts'
import * as givenUp from './store/migrations/0009-given-up.ts'
import * as sites from './store/migrations/0010-sites.ts'
import * as foreign from './store/migrations/0011-foreign.ts'
import * as listedBySite from './store/migrations/0012-listed-by-site.ts'
import * as refusedByNetwork from './store/migrations/0013-refused-by-network.ts'
import type { FacilitatorTables } from './store/tables.ts'

/** Verifies payments and settles each one once. The only service that holds chain signing keys. */
export const x402Facilitator = service<typeof Config, FacilitatorTables, Resources, typeof operations>({
  name: 'x402-facilitator',
  config: Config,
  migrations: {
    '0001-payments': payments,
    '0002-batches': batches,
    '0003-resources': resources,
    '0004-gas-budgets': gasBudgets,
    '0004-purchase-identifiers': purchaseIdentifiers,
    '0005-confirmations': confirmations,
    '0006-request-id': requestId,
    '0007-refused': refused,
    '0008-payer-debits': payerDebits,
    '0009-given-up': givenUp,
    '0010-sites': sites,
    '0011-foreign': foreign,
    '0012-listed-by-site': listedBySite,
    '0013-refused-by-network': refusedByNetwork,
  },
  open,
  operations,
  serves: {
    supported,
    verify,
    settle,
    discoveryResources,
    discoverySearch,
    health,
    decode,
    offer,
    status,
    purchase,
    purchaseState,
    faucet,
    openapi,
    wellKnown,
  },
  consumes: [
    on(listingChanged, onListingChanged),
    on(listingRemoved, onListingRemoved),
    on(resourceProbed, onResourceProbed),
  ],
  publishes: [paymentSettled, probeRequested],
  afterRestore,
  jobs: [
    settleOpen,
    watchBlocks,
    rebroadcastStuck,
    forgetOldGas,
    forgetRefused,
    forgetCrowded,
    forgetForeign,
    queueProbes,
    sweepResources,
  ],
})
