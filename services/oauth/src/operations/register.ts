import type { oauth } from '@callboard/contract'
import { HOUR_MS, isRefusal, networkOf, refuse, SECOND_MS } from '@callboard/values'
import { newSecretFor, registrationOf } from '../clients/registration.ts'
import type { OauthHandler } from '../context.ts'
import { readClientMetadata } from '../domain/client-metadata.ts'
import { newCredential } from '../domain/credential.ts'
import { countRegistrations, insertClient } from '../store/client.repository.ts'

/** Places become free as clients are removed, which takes days. */
const RETRY_AFTER_SECONDS = HOUR_MS / SECOND_MS

/** Anyone may register, so registrations are limited: per network, and in total, as networks are easy to get. */
export const register: OauthHandler<typeof oauth.register> = async ({ requester, ...given }, ctx) => {
  const metadata = readClientMetadata(given)
  if (isRefusal(metadata)) return metadata
  const secret = newSecretFor(metadata)
  const token = newCredential('registration')
  // Agents are recognized by the prefix of their id, which no other client's id has.
  const client = { id: `client_${ctx.newId()}`, metadata, created_at: new Date(ctx.clock.now()) }
  const network = requester ? networkOf(requester.address) : null
  const full = await ctx.db.transaction().execute(async (tx) => {
    const { ofNetwork, inAll } = await countRegistrations(tx, network)
    if (ofNetwork >= ctx.config.CLIENTS_PER_NETWORK) return refuse('rate_limited', FULL.network)
    if (inAll >= ctx.config.CLIENTS_IN_ALL) return refuse('temporarily_unavailable', FULL.all)
    await insertClient(tx, {
      ...client,
      secret_hash: secret?.hash ?? null,
      registration_token_hash: token.hash,
      registered_from: network,
    })
    return undefined
  })
  return full ?? registrationOf(ctx, client, { token: token.secret, secret: secret?.secret })
}

const FULL = {
  network: {
    message: 'This network has reached its limit of registered clients. Clients that no owner allows are removed.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  },
  all: { message: 'This server has reached its limit of registered clients.', retryAfterSeconds: RETRY_AFTER_SECONDS },
} as const
