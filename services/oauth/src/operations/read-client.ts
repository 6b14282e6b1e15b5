import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { OauthHandler } from '../kit.ts'
import { managedClient, registrationOf } from '../registration.ts'

export const readClient: OauthHandler<typeof oauth.readClient> = async (input, ctx) => {
  const client = await managedClient(ctx.db, input)
  if (isRefusal(client)) return client
  return registrationOf(ctx, client, { token: input.registration_access_token ?? '' })
}
