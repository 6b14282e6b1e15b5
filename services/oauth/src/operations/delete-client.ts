import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { managedClient } from '../clients/registration.ts'
import type { OauthHandler } from '../context.ts'
import { deleteClient as remove } from '../store/client.repository.ts'
import { endFamiliesOfClient } from '../store/family.repository.ts'
import { showEnded } from '../tokens/revocation.ts'

export const deleteClient: OauthHandler<typeof oauth.deleteClient> = async (input, ctx) => {
  const client = await managedClient(ctx.db, input)
  if (isRefusal(client)) return client
  await ctx.db.transaction().execute(async (tx) => {
    // First the codes: one that is being redeemed is waited for, and its family is then among those that end.
    await remove(tx, client.id)
    // Shown before it is committed: a client that is gone could not ask again while the counters are unavailable.
    await showEnded(ctx, await endFamiliesOfClient(tx, client.id, new Date(ctx.clock.now())))
  })
  return {}
}
