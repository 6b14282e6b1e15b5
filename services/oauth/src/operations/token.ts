import { DEVICE_CODE_GRANT, type InputOf, type oauth, type RefusalOf, type TokenAnswer } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { type Client, clientOf } from '../clients/client-authentication.ts'
import type { OauthContext, OauthHandler } from '../context.ts'
import { redeemAuthorizationCode } from '../grants/authorization-code.ts'
import { redeemDeviceCode } from '../grants/device-code.ts'
import { refresh } from '../grants/refresh-token.ts'
import { resourceOf } from '../tokens/resources.ts'

type Grant = (
  ctx: OauthContext,
  input: InputOf<typeof oauth.token>,
  client: Client,
) => Promise<TokenAnswer | RefusalOf<typeof oauth.token>>

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  [DEVICE_CODE_GRANT, redeemDeviceCode],
  ['authorization_code', redeemAuthorizationCode],
  ['refresh_token', refresh],
])

export const token: OauthHandler<typeof oauth.token> = async (input, ctx) => {
  const grant = GRANTS.get(input.grant_type)
  if (!grant) return refuse('unsupported_grant_type')
  const client = await clientOf(ctx, input)
  if (isRefusal(client)) return client
  if (!client.grants.includes(input.grant_type)) return refuse('unauthorized_client')
  if (resourceOf(input.resource, ctx.config) === undefined) return refuse('invalid_target')
  return grant(ctx, input, client)
}
