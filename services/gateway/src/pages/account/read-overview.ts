import { listings, type OutputOf, router } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import { region } from './read-account.ts'

/** The rest has a page of its own. */
const LISTED = 5

/** What an owner has apart from what acts for them: money for models, and what they offer. */
export interface Overview {
  readonly usage: OutputOf<typeof router.usage> | 'unavailable'
  readonly offers:
    | {
        readonly listings: OutputOf<typeof listings.mine>['listings']
        /** Whether there are more. */
        readonly isLonger: boolean
      }
    | 'unavailable'
}

export async function readOverview(asking: OwnerRequest): Promise<Overview> {
  const [usage, offers] = await Promise.all([
    region(async () => {
      const answer = await callAs(asking, router.usage, {})
      return isRefusal(answer) ? 'unavailable' : answer
    }),
    region(async () => {
      const answer = await callAs(asking, listings.mine, { limit: LISTED })
      return isRefusal(answer) ? 'unavailable' : { listings: answer.listings, isLonger: answer.nextCursor !== null }
    }),
  ])
  return { usage, offers }
}
