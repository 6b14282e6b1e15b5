import type { HttpBinding } from '../operation.ts'
import { SCOPES } from '../schemas/agent.ts'
import type { JsonObject } from './json-schema.ts'

const SCOPE_MEANINGS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'mcp:call': 'Use the tools of the hosted MCP server.',
  'router.use': 'Use language models on the allowance that the owner gave.',
  'call.publish': 'Publish and manage the owner’s listings.',
}

/** How credentials are sent to an instance. The cookie has the `__Host-` prefix only where browsers accept it. */
export function securitySchemes(baseUrl: string): JsonObject {
  const { origin, protocol } = new URL(baseUrl)
  const endpoints = { tokenUrl: `${origin}/oauth/token`, refreshUrl: `${origin}/oauth/token` }
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]]))
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An owner’s API key (`POST /api/keys`): it allows everything that the owner’s listings need, without scopes.',
    },
    accessToken: {
      type: 'oauth2',
      description:
        'An access token of an agent, obtained with the device authorization grant (RFC 8628) at `/oauth/device_authorization`, or ' +
        'of another OAuth client.',
      flows: { authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, ...endpoints, scopes } },
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: protocol === 'https:' ? '__Host-callboard' : 'callboard',
      description: 'The session of an owner who signed in (`POST /api/auth/session`).',
    },
    clientSecret: {
      type: 'http',
      scheme: 'basic',
      description:
        'A confidential OAuth client (RFC 6749 §2.3.1); it may send its id and secret as members of the body instead.',
    },
    routerKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'A Router key (`POST /api/router/keys`); Anthropic’s clients send it as `x-api-key`.',
    },
    registrationToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The registration access token of an OAuth client (RFC 7592 §3).',
    },
  }
}

/** The credentials that a route accepts; an empty list where anyone may call, `{}` where a credential is optional. */
export function securityOf({ auth, scope, registrationToken, mayPay, signsIn }: HttpBinding): JsonObject[] {
  const bearer = [{ apiKey: [] }, { accessToken: scope ? [scope] : [] }]
  switch (auth) {
    case 'none':
      return registrationToken ? [{ registrationToken: [] }] : []
    case 'optional':
      return [{}, ...bearer]
    case 'bearer':
      return bearer
    case 'agent':
      return [{ accessToken: scope ? [scope] : [] }]
    case 'client':
      return [{}, { clientSecret: [] }]
    case 'router_key':
      return mayPay || signsIn ? [{ routerKey: [] }, {}] : [{ routerKey: [] }]
    case 'owner':
      return [...bearer, { session: [] }]
    case 'session':
      return [{ session: [] }]
  }
}
