import type { SettledToken } from './check-authorization.ts'
import type { V1Networks } from './v1-networks.ts'

/** What the reader knows of the world. */
export interface ForeignOfferContext {
  /** Version 1 names, extended by the caller for chains of its own. */
  readonly networks: V1Networks
  /** Known tokens: another asset on one of their networks is noted. */
  readonly tokens: readonly SettledToken[]
}
