import {
  listingChanged,
  listingRemoved,
  catalog as operations,
  probeCompleted,
  type Range,
  type Stats,
  settlementObserved,
  settlementReverted,
} from '@callboard/contract'
import { on, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onListingChanged } from './consumers/listing-changed.ts'
import { onListingRemoved } from './consumers/listing-removed.ts'
import { onProbeCompleted } from './consumers/probe-completed.ts'
import { onSettlementObserved } from './consumers/settlement-observed.ts'
import { onSettlementReverted } from './consumers/settlement-reverted.ts'
import { Directory } from './directory/directory.ts'
import { discoveryItems } from './domain/card.ts'
import { Follower } from './following/follower.ts'
import type { Parts } from './kit.ts'
import { activity } from './operations/activity.ts'
import { addressActivity } from './operations/address-activity.ts'
import { apiCatalog } from './operations/api-catalog.ts'
import { discovery } from './operations/discovery.ts'
import { entry } from './operations/entry.ts'
import { list } from './operations/list.ts'
import { search } from './operations/search.ts'
import { services } from './operations/services.ts'
import { stats } from './operations/stats.ts'
import { recent } from './recent.ts'
import * as projection from './store/migrations/0001-projection.ts'
import * as changes from './store/migrations/0002-changes.ts'
import type { CatalogTables } from './store/tables.ts'

/** Every public read, from tables that are made of events alone. */
export const catalog = service<typeof Config, CatalogTables, Parts, typeof operations>({
  name: 'catalog',
  config: Config,
  migrations: { '0001-projection': projection, '0002-changes': changes },
  open: async (kit) => {
    const directory = new Directory()
    const follower = new Follower(directory, kit)
    await follower.start()
    const stats = recent<Range, Stats>(kit.config.STATS_CACHE_MS, kit.clock)
    const itemOf = discoveryItems(kit.config.LINK_SIGNING_KEY)
    return { directory, follower, itemOf, stats, close: () => follower.stop() }
  },
  operations,
  serves: { discovery, services, search, list, entry, stats, activity, addressActivity, apiCatalog },
  consumes: [
    on(listingChanged, onListingChanged),
    on(listingRemoved, onListingRemoved),
    on(probeCompleted, onProbeCompleted),
    on(settlementObserved, onSettlementObserved),
    on(settlementReverted, onSettlementReverted),
  ],
})
