import type { SettledToken } from '../authorization/check-authorization.ts'
import type { V1Networks } from '../messages/v1-networks.ts'

/** What the reader of an offer knows. */
export interface ForeignOfferContext {
  /** Version 1 names, extended by the caller for its own chains. */
  readonly networks: V1Networks
  /** Known tokens: another asset on one of their networks is reported. */
  readonly tokens: readonly SettledToken[]
}
