import type { ClientMetadata, RegisteredClient } from '@callboard/contract'
import { type Refusal, refuse, SECOND_MS } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { isSecretOf, type NewCredential, newCredential } from '../domain/credential.ts'
import { clientById } from '../store/client.repository.ts'
import type { ClientTable, OauthDb } from '../store/tables.ts'

interface Managing {
  readonly clientId: string
  readonly registration_access_token?: string | undefined
}

/** The client of a management request, only for the holder of its registration token (RFC 7592 §2). */
export async function managedClient(
  db: OauthDb,
  { clientId, registration_access_token: token = '' }: Managing,
): Promise<ClientTable | Refusal<'unauthorized'>> {
  const client = await clientById(db, clientId)
  const isIts = client?.registration_token_hash && isSecretOf(token, client.registration_token_hash)
  return isIts ? client : refuse('unauthorized')
}

/** A secret for a client that authenticates with one. */
export const newSecretFor = ({ token_endpoint_auth_method }: ClientMetadata): NewCredential | undefined =>
  token_endpoint_auth_method === 'none' ? undefined : newCredential('client')

/**
 * A client in the form of a registration response.
 * @param shown the registration token, and the secret if it was just made
 */
export const registrationOf = (
  ctx: Pick<OauthContext, 'config'>,
  { id, metadata, created_at }: Pick<ClientTable, 'id' | 'metadata' | 'created_at'>,
  shown: { readonly token: string; readonly secret?: string | undefined },
): RegisteredClient => ({
  ...metadata,
  client_id: id,
  client_id_issued_at: Math.floor(created_at.getTime() / SECOND_MS),
  ...(shown.secret === undefined ? {} : { client_secret: shown.secret, client_secret_expires_at: 0 as const }),
  registration_access_token: shown.token,
  registration_client_uri: `${new URL(ctx.config.BASE_URL).origin}/oauth/register/${id}`,
})
