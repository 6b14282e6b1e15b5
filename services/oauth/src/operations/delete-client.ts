import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { OauthHandler } from '../kit.ts'
import { managedClient } from '../registration.ts'
import { showEnded } from '../revocation.ts'
import { deleteClient as remove } from '../store/client.repository.ts'
import { endFamiliesOfClient } from '../store/family.repository.ts'

export const deleteClient: OauthHandler<typeof oauth.deleteClient> = async (input, ctx) => {
  const client = await managedClient(ctx.db, input)
  if (isRefusal(client)) return client
  await ctx.db.transaction().execute(async (tx) => {
    // First the codes: one that is being redeemed is waited for, and its family is then among those that end.
    await remove(tx, client.id)
    // Shown before it is committed: a client that is gone could not ask again where the counters are away.
    await showEnded(ctx, await endFamiliesOfClient(tx, client.id, new Date(ctx.clock.now())))
  })
  return {}
}
