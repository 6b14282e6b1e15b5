import type { agents } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'

export const self: AgentsHandler<typeof agents.self> = async (_input, ctx) => {
  const link = await linkOfCaller(ctx)
  if (!link) return refuse('unauthorized')
  return {
    clientId: link.client_id,
    wallet: link.wallet,
    owner: link.owner,
    label: link.label,
    scopes: link.scopes,
    linkedAt: isoTime(link.linked_at.getTime()),
  }
}
