import { failpoints } from '@callboard/runtime'

/**
 * Points of an approval, a redemption or a rotation at which Postgres may be lost.
 *
 * `opened` an approved grant has its family, in an open transaction · `issued` a family also has its tokens · `written`
 * everything is written, not committed · `committed` it is committed, and its client has no answer yet.
 */
export const grantFailpoints = failpoints('oauth', ['opened', 'issued', 'written', 'committed'])

export type GrantFailpoint = (typeof grantFailpoints.names)[number]
