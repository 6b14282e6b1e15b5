import type { HiddenReason, HttpMethod, ListingOperation, ProbeState } from '@callboard/contract'
import type { IsoTime } from '@callboard/values'

/** An endpoint in the prober's schedule. */
export interface WatchedEndpoint {
  readonly method: HttpMethod
  readonly url: string
  readonly state: ProbeState | null
  readonly lastCheckedAt: IsoTime | null
  readonly nextDueAt: IsoTime
}

/** Why none of a listing's endpoints can be paid, one reason for each, with its next check. */
export const endpointReasons = (
  operations: readonly Pick<ListingOperation, 'method' | 'url' | 'problem'>[],
  endpoints: readonly WatchedEndpoint[],
): HiddenReason[] =>
  operations.map(({ method, url, problem }) => {
    const watched = endpoints.find((one) => one.method === method && one.url === url)
    return {
      code: 'no_payable_endpoint',
      message: problem ?? 'No probe has read its offer yet.',
      mend: 'Answer an unpaid request with 402 and an offer that can be paid. POST …/resync checks it at once.',
      deadline: watched?.nextDueAt ?? null,
      endpoint: { method, url },
    }
  })
