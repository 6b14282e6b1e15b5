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
    // Codes first: this waits for one that is being redeemed, whose family is then among those that end.
    await remove(tx, client.id)
    // Shown before the commit: a deleted client could not retry while the counters are unavailable.
    await showEnded(ctx, await endFamiliesOfClient(tx, client.id, new Date(ctx.clock.now())))
  })
  return {}
}
