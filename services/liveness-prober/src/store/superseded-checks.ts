import { eventName, probeCompleted } from '@callboard/contract'
import type { SupersededEvents } from '@callboard/store'
import { type SqlBool, sql } from 'kysely'

/**
 * A check says the state of an endpoint, perhaps that it was up, and perhaps what it offers. A later check supersedes
 * it that says as much.
 */
export const supersededChecks: SupersededEvents = {
  name: eventName(probeCompleted),
  when: sql<SqlBool>`
    hashtextextended(later.data ->> 'url', 0) = hashtextextended(earlier.data ->> 'url', 0)
    and later.data ->> 'url' = earlier.data ->> 'url' and later.data ->> 'method' = earlier.data ->> 'method'
    and (later.data ->> 'checkedAt')::timestamptz >= (earlier.data ->> 'checkedAt')::timestamptz
    and (later.data ->> 'verdict' = 'up' or earlier.data ->> 'verdict' <> 'up')
    and (later.data -> 'accepts' <> 'null' or earlier.data -> 'accepts' = 'null')`,
}
