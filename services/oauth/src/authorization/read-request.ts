import { type Address, isRefusal, type Refusal, refuse } from '@callboard/values'
import { documentedClient } from '../clients/documented-client.ts'
import type { OauthCallingContext } from '../context.ts'
import { isClientIdUrl } from '../domain/client-id-url.ts'
import { isRegistered } from '../domain/redirect-uri.ts'
import { clientById } from '../store/client.repository.ts'
import { programFamiliesOf } from '../store/client-grant.repository.ts'
import type { ClientTable } from '../store/tables.ts'
import { resourceOf, wholeService } from '../tokens/resources.ts'
import { type Asked, answerAt, judge, Parameters, type Wrong } from './judge-request.ts'

/** An authorization request that can be answered: its client and redirect URI are known. */
export interface Answerable {
  readonly client: ClientTable
  readonly redirectUri: string
  /** What is asked for, or what is wrong with the request. */
  readonly asked: Asked | Wrong
  /** The redirect URI with an answer to this request; every answer names the issuer (RFC 9207). */
  answer(parameters: { readonly code: string } | Wrong): string
}

/**
 * Reads an authorization request (RFC 6749 §4.1.1).
 * @param query as received
 * @returns `invalid_request` or `temporarily_unavailable` if the owner's browser must not be sent to the redirect URI
 */
export async function readRequest(
  ctx: OauthCallingContext,
  query: string,
): Promise<Answerable | Refusal<'invalid_request' | 'temporarily_unavailable'>> {
  const parameters = new Parameters(query)
  const id = parameters.one('client_id') ?? ''
  const client = isClientIdUrl(id) ? await documentedClient(ctx, id) : await clientById(ctx.db, id)
  if (isRefusal(client)) return client
  if (!client) return unanswerable('client_id', 'No client is registered under this client_id.')
  const redirectUri = redirectOf(parameters, client.metadata.redirect_uris)
  if (redirectUri === undefined) {
    return unanswerable('redirect_uri', 'This client is not registered with that redirect_uri.')
  }
  const [state, iss] = [parameters.one('state'), wholeService(ctx.config)]
  return {
    client,
    redirectUri,
    asked: judge(parameters, client.metadata, (resources) => resourceOf(resources, ctx.config)),
    answer: (given) => answerAt(redirectUri, { ...given, state, iss }),
  }
}

/** Whether a grant of an owner to a client is in force. */
export const isAllowed = async (ctx: OauthCallingContext, owner: Address, clientId: string): Promise<boolean> =>
  (await programFamiliesOf(ctx.db, owner, new Date(ctx.clock.now()), clientId)).length > 0

const unanswerable = (field: string, message: string) => refuse('invalid_request', { field, message })

/** The requested redirect URI, if it is registered; if none is requested, the only one registered. */
function redirectOf(parameters: Parameters, registered: readonly string[]): string | undefined {
  const [only, more] = registered
  if (parameters.all('redirect_uri').length === 0) return more === undefined ? only : undefined
  const asked = parameters.one('redirect_uri')
  return asked !== undefined && isRegistered(asked, registered) ? asked : undefined
}
