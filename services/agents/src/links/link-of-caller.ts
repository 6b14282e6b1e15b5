import type { Caller } from '@callboard/contract'
import type { AgentsContext } from '../context.ts'
import { linkById } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'

/** Whether a link grants its agent anything. An agent may have its tokens before its link is recorded as live. */
export const isInForce = (link: LinkTable | undefined): link is LinkTable =>
  link?.state === 'live' || link?.state === 'approving'

/** The link of a calling agent; undefined for other callers, and if it has ended. */
export async function linkOfCaller({ db, caller }: Pick<AgentsContext, 'db'> & { readonly caller: Caller }) {
  if (caller.kind !== 'agent') return undefined
  const link = await linkById(db, caller.linkId)
  return isInForce(link) ? link : undefined
}
