import { createHash, randomBytes } from 'node:crypto'
import { METADATA, type OauthStage, REDIRECT } from './oauth-stage.ts'

type Method = 'none' | 'client_secret_basic' | 'client_secret_post'

/** A registered client, with what it sends. */
export interface TestClient {
  readonly id: string
  /** Empty for a public client. */
  readonly secret: string
  /** The address to which it sends its owner, and the matching verifier. */
  asking(stage: OauthStage, more?: Record<string, string>): { readonly url: URL; readonly verifier: string }
  /** A code that the owner granted to it. @returns the form that redeems it */
  code(stage: OauthStage): Promise<{ readonly body: string }>
}

/** A client with tokens. */
export interface Granted {
  readonly client: TestClient
  readonly access: string
  readonly refresh: string
}

export async function registeredFor(stage: OauthStage, token_endpoint_auth_method: Method): Promise<TestClient> {
  const answer = await stage.post('/oauth/register', { ...METADATA, token_endpoint_auth_method })
  const { client_id: id = '', client_secret: secret = '' } = (await answer.json()) as Record<string, string>

  const asking: TestClient['asking'] = ({ base }, more = {}) => {
    const verifier = randomBytes(32).toString('base64url')
    const url = new URL(`${base}/oauth/authorize`)
    url.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: id, redirect_uri: REDIRECT, state: 'kept' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }).toString()
    return { url, verifier }
  }

  async function code(from: OauthStage) {
    const { url, verifier } = asking(from)
    const given = (await from.allowed(url)).searchParams.get('code') ?? ''
    const body = { grant_type: 'authorization_code', code: given, redirect_uri: REDIRECT, code_verifier: verifier }
    return { body: new URLSearchParams({ ...body, client_id: id }).toString() }
  }

  return { id, secret, asking, code }
}

/** The owner allows a client, and it redeems its code. */
export async function grantedBy(stage: OauthStage, client: TestClient): Promise<Granted> {
  const { body } = await client.code(stage)
  const answer = await fetch(`${stage.base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(`${body}&client_secret=${client.secret}`),
  })
  const { access_token: access = '', refresh_token: refresh = '' } = (await answer.json()) as Record<string, string>
  if (access === '') throw new Error(`The code was not redeemed: ${answer.status}`)
  return { client, access, refresh }
}
