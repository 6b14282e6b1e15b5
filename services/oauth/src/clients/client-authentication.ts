import { AgentClientId, DEVICE_CODE_GRANT } from '@callboard/contract'
import { DAY_MS, type Refusal, refuse } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { isSecretOf } from '../domain/credential.ts'
import { clientById, touchClient } from '../store/client.repository.ts'

/** A client as the token endpoint knows it. */
export interface Client {
  readonly id: string
  /** Grant types it may use. */
  readonly grants: readonly string[]
  /** Whether `resource` narrows its tokens. Agents need theirs everywhere, and MCP clients always send it. */
  readonly narrows: boolean
}

interface Presented {
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
}

/**
 * Identifies the client at the token endpoint (RFC 6749 §2.3). Agents are public clients that exist by construction;
 * all others are registered. A secret is accepted from the header or the body.
 */
export async function clientOf(
  ctx: OauthContext,
  { client_id: id, client_secret: secret }: Presented,
): Promise<Client | Refusal<'invalid_request' | 'invalid_client'>> {
  if (!id) return refuse('invalid_request', { field: 'client_id', message: 'client_id is required' })
  if (!AgentClientId.safeParse(id).success) return registered(ctx, id, secret)
  return secret ? refuse('invalid_client') : { id, grants: [DEVICE_CODE_GRANT, 'refresh_token'], narrows: false }
}

async function registered(ctx: OauthContext, id: string, secret: string | undefined) {
  const client = await clientById(ctx.db, id)
  if (!client) return refuse('invalid_client')
  const { secret_hash: hash, metadata } = client
  const isProved = hash === null ? !secret : secret !== undefined && isSecretOf(secret, hash)
  if (!isProved) return refuse('invalid_client')
  const now = ctx.clock.now()
  await touchClient(ctx.db, id, new Date(now), new Date(now - DAY_MS))
  return { id, grants: metadata.grant_types, narrows: true }
}
