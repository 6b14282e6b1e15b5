import { failpoints } from '@callboard/runtime'

/**
 * Points in the life of a link at which a process may die.
 *
 * `begun` the link has a place, and oauth knows nothing of it · `keyed` the Router was asked for a key · `granted`
 * oauth has opened its token family · `live` it is recorded as live, and the link that it replaces is ending · `ending`
 * its end is recorded, and its tokens are still valid · `void` none of its tokens are accepted, and the Router has
 * ended its keys · `set` the Router has an allowance other than the recorded one.
 */
export const linkFailpoints = failpoints('agents', ['begun', 'keyed', 'granted', 'live', 'ending', 'void', 'set'])

export type LinkFailpoint = (typeof linkFailpoints.names)[number]
