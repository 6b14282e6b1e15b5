import { bus } from './bus.ts'
import { catalogue } from './catalogue.ts'
import type { Dashboard } from './dashboard.ts'
import { gateway } from './gateway.ts'
import { indexer } from './indexer.ts'
import { oauthAndAgents } from './oauth-and-agents.ts'
import { overview } from './overview.ts'
import { payments } from './payments.ts'
import { prober } from './prober.ts'
import { router } from './router.ts'
import { stores } from './stores.ts'

/** Every dashboard, one per component, in the order of their links to each other. */
export const DASHBOARDS: readonly Dashboard[] = [
  overview,
  gateway,
  bus,
  payments,
  prober,
  indexer,
  oauthAndAgents,
  router,
  catalogue,
  stores,
]
