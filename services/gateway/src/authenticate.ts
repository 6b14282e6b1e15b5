import { oauth } from '@callboard/contract'
import { Refused } from './errors.ts'
import type { Hook } from './kit.ts'
import { limitFailures } from './rate-limit.ts'
import { sessionCookie } from './session-cookie.ts'

const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/**
 * Establishes the caller of a route that wants one: a bearer credential where the route says bearer, the session
 * cookie where it says session; neither stands in for the other.
 */
export const authenticate: Hook = async (request, _reply, route, kit) => {
  const kind = route.http.auth === 'session' ? 'session' : 'bearer'
  const credential =
    kind === 'session' ? sessionCookie.read(request) : BEARER.exec(request.headers.authorization ?? '')?.[1]
  const caller =
    credential === undefined || credential.length > 512
      ? undefined
      : await kit.parts.introspections.callerOf(credential, kind, (input) => kit.call(oauth.introspect, input))
  if (caller) {
    request.state.caller = caller
    return
  }
  await limitFailures(request, kit)
  throw new Refused({ refusal: 'unauthorized' })
}
