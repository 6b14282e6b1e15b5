import type { ClientMetadata, oauth } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { managedClient, newSecretFor, registrationOf } from '../clients/registration.ts'
import type { OauthHandler } from '../context.ts'
import { readClientMetadata } from '../domain/client-metadata.ts'
import { isSecretOf } from '../domain/credential.ts'
import { changeClient, lockClient } from '../store/client.repository.ts'
import type { ClientTable } from '../store/tables.ts'

export const updateClient: OauthHandler<typeof oauth.updateClient> = async (input, ctx) => {
  const { clientId, registration_access_token: token = '', ...given } = input
  return ctx.db.transaction().execute(async (tx) => {
    await lockClient(tx, clientId)
    const client = await managedClient(tx, input)
    if (isRefusal(client)) return client
    const field = notItsOwn(given, client)
    if (field) return refuse('invalid_client_metadata', { field, message: `${field}: is not that of this client` })
    const metadata = readClientMetadata(given)
    if (isRefusal(metadata)) return metadata
    const { made, hash } = secretAfter(client, metadata)
    await changeClient(tx, clientId, { metadata, secret_hash: hash })
    return registrationOf(ctx, { ...client, metadata }, { token, secret: made })
  })
}

/** RFC 7592 §2.2: the request names the client, and if it includes the secret, must not change it. */
function notItsOwn(given: Readonly<Record<string, unknown>>, { id, secret_hash }: ClientTable): string | undefined {
  if (given.client_id !== id) return 'client_id'
  const { client_secret: secret } = given
  if (secret === undefined) return undefined
  const isIts = typeof secret === 'string' && secret_hash !== null && isSecretOf(secret, secret_hash)
  return isIts ? undefined : 'client_secret'
}

/** Keeps the secret while one is needed, makes one when it becomes needed, and forgets it when it no longer is. */
function secretAfter({ secret_hash }: ClientTable, metadata: ClientMetadata): { made?: string; hash: string | null } {
  const next = newSecretFor(metadata)
  if (!next) return { hash: null }
  return secret_hash === null ? { made: next.secret, hash: next.hash } : { hash: secret_hash }
}
