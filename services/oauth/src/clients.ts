import { AgentClientId } from '@callboard/contract'
import { type Refusal, refuse } from '@callboard/values'

/** A client as the token endpoint knows it. */
export interface Client {
  readonly id: string
  /** Grant types it may use. */
  readonly grants: readonly string[]
}

interface Presented {
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
}

/** Who asks at the token endpoint (RFC 6749 §2.3). Agents are public clients that exist by construction. */
export async function clientOf(presented: Presented): Promise<Client | Refusal<'invalid_request' | 'invalid_client'>> {
  const { client_id: id, client_secret: secret } = presented
  if (!id) return refuse('invalid_request', { field: 'client_id', message: 'client_id is required' })
  if (!AgentClientId.safeParse(id).success || secret) return refuse('invalid_client')
  return { id, grants: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] }
}
