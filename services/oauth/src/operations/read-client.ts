import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { managedClient, registrationOf } from '../clients/registration.ts'
import type { OauthHandler } from '../context.ts'

export const readClient: OauthHandler<typeof oauth.readClient> = async (input, ctx) => {
  const client = await managedClient(ctx.db, input)
  if (isRefusal(client)) return client
  return registrationOf(ctx, client, { token: input.registration_access_token ?? '' })
}
