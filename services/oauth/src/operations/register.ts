import type { oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { readClientMetadata } from '../domain/client-metadata.ts'
import { newCredential } from '../domain/credential.ts'
import type { OauthHandler } from '../kit.ts'
import { newSecretFor, registrationOf } from '../registration.ts'
import { insertClient } from '../store/client.repository.ts'

export const register: OauthHandler<typeof oauth.register> = async (input, ctx) => {
  const metadata = readClientMetadata(input)
  if (isRefusal(metadata)) return metadata
  const secret = newSecretFor(metadata)
  const token = newCredential('registration')
  // An agent is known by the beginning of its id, so no other client's begins like that.
  const client = { id: `client_${ctx.newId()}`, metadata, created_at: new Date(ctx.clock.now()) }
  await insertClient(ctx.db, {
    ...client,
    secret_hash: secret?.hash ?? null,
    registration_token_hash: token.hash,
  })
  return registrationOf(ctx, client, { token: token.secret, secret: secret?.secret })
}
