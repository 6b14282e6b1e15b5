import type { Heartbeat } from './heartbeat.ts'
import type { LargeRequests } from './large/large-requests.ts'
import type { Wire } from './wire.ts'

/** What all requests of a bus have in common. */
export interface Transport {
  readonly wire: Wire
  readonly heartbeat: Heartbeat
  readonly large: LargeRequests
}
