import { failpoints } from '@callboard/runtime'

/**
 * Where Postgres may be lost in an approval, a redemption or a rotation.
 *
 * `opened` an approved grant has its family, in an open transaction · `issued` so has a family its tokens · `written` all
 * of it is written, and not committed · `committed` it stands, and its client was not answered.
 */
export const grantFailpoints = failpoints('oauth', ['opened', 'issued', 'written', 'committed'])

export type GrantFailpoint = (typeof grantFailpoints.names)[number]
