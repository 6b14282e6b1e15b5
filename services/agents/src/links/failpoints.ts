import { failpoints } from '@callboard/runtime'

/**
 * Where a process may die in the life of a link.
 *
 * `begun` the link holds a place, and oauth knows nothing of it · `keyed` the Router was asked for a key · `granted` oauth
 * has opened its token family · `live` it is written down, and the link that it replaces is ending · `ending` its end is
 * written down, and its tokens are good · `void` no token of it is accepted, and the Router has its keys · `set` the Router has
 * another allowance than is written down.
 */
export const linkFailpoints = failpoints('agents', ['begun', 'keyed', 'granted', 'live', 'ending', 'void', 'set'])

export type LinkFailpoint = (typeof linkFailpoints.names)[number]
