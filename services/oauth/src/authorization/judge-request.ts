import { type ClientMetadata, DEFAULT_SCOPES, isWithin, readScopes, type Scope } from '@callboard/contract'
import { isChallenge } from '../domain/pkce.ts'

/** The parameters of an authorization request; each at most once, an empty one counts as absent (RFC 6749 §3.1). */
export class Parameters {
  readonly #given: URLSearchParams

  constructor(query: string) {
    this.#given = new URLSearchParams(query)
  }

  /** Undefined if it is absent or occurs more than once. */
  one(name: string): string | undefined {
    const [value, more] = this.all(name)
    return more === undefined ? value : undefined
  }

  all = (name: string): readonly string[] => this.#given.getAll(name).filter((value) => value !== '')

  /** The first repeated parameter; `resource` may be repeated (RFC 8707 §2). */
  get repeated(): string | undefined {
    return [...this.#given.keys()].find((name) => name !== 'resource' && this.#given.getAll(name).length > 1)
  }
}

/** What a valid request asks for. */
export interface Asked {
  readonly scopes: readonly Scope[]
  readonly challenge: string
  readonly audience: string
}

/** The error that is sent to the client at its redirect URI (RFC 6749 §4.1.2.1, RFC 8707 §2). */
export interface Wrong {
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target' | 'access_denied'
  readonly error_description: string
}

const wrong = (error: Wrong['error'], error_description: string): Wrong => ({ error, error_description })

/**
 * Whether a request of a known client, with a known redirect URI, can be presented to an owner.
 * @param audience the resource that a list of `resource` parameters asks for; undefined if one is not ours
 */
export function judge(
  parameters: Parameters,
  client: Pick<ClientMetadata, 'scope'>,
  audience: (resources: readonly string[]) => string | undefined,
): Asked | Wrong {
  const { repeated } = parameters
  if (repeated !== undefined) return wrong('invalid_request', 'A parameter is given more than once.')
  const responseType = parameters.one('response_type')
  if (responseType === undefined) return wrong('invalid_request', 'response_type is required.')
  if (responseType !== 'code') return wrong('unsupported_response_type', 'The response_type must be code.')
  if ((parameters.one('response_mode') ?? 'query') !== 'query') {
    return wrong('invalid_request', 'The response_mode must be query.')
  }
  const challenge = parameters.one('code_challenge')
  if (challenge === undefined) return wrong('invalid_request', 'code_challenge is required (RFC 7636).')
  if (parameters.one('code_challenge_method') !== 'S256') {
    return wrong('invalid_request', 'The code_challenge_method must be S256.')
  }
  if (!isChallenge(challenge)) return wrong('invalid_request', 'The code_challenge is not a SHA-256 hash in base64url.')
  const scopes = scopesOf(parameters.one('scope'), client.scope)
  if (!scopes) return wrong('invalid_scope', 'A scope is unknown, or goes beyond what the client is registered for.')
  const resource = audience(parameters.all('resource'))
  if (resource === undefined) return wrong('invalid_target', 'A resource does not belong to this server.')
  return { scopes, challenge, audience: resource }
}

/** The requested scopes; if none are named, all that the client is registered for, or the default. */
function scopesOf(asked: string | undefined, registered: string | undefined): readonly Scope[] | undefined {
  const most = registered === undefined ? undefined : readScopes(registered)
  const scopes = asked === undefined ? (most ?? DEFAULT_SCOPES) : readScopes(asked)
  if (!scopes || scopes.length === 0) return undefined
  return most && !isWithin(scopes, most) ? undefined : scopes
}

/**
 * The redirect URI with an answer appended. The registered text is kept as it is, so that clients recognize it.
 * @param answer absent members are left out
 */
export function answerAt(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const glue = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'
  return `${redirectUri}${glue}${new URLSearchParams(given as [string, string][])}`
}
