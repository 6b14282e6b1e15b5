import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'

/** An OAuth client's credentials in the `Authorization` header; a public client has no secret. */
export interface ClientCredentials {
  readonly id: string
  readonly secret: string | undefined
}

const BASIC = /^Basic(?: +(.*))?$/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Whether the client tried to authenticate in the header: only then does it get a challenge (RFC 6749 §5.2). */
export const usesBasic = (request: FastifyRequest): boolean => BASIC.test(request.headers.authorization ?? '')

/**
 * Reads the header by which an OAuth client may identify itself (RFC 6749 §2.3.1). Other schemes are not client
 * authentication: clients send their bearer along out of habit.
 */
export const readClientCredentials: Hook = (request) => {
  if (!usesBasic(request)) return
  const token = BASIC.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const credentials = BASE64.test(token) ? decoded(Buffer.from(token, 'base64').toString()) : undefined
  if (!credentials) {
    throw new Refused({ refusal: 'invalid_client', message: 'The Authorization header is not Basic credentials.' })
  }
  request.state.client = credentials
}

/** Both halves are form-encoded before they are joined, so that an id may contain a colon. */
function decoded(text: string): ClientCredentials | undefined {
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    const id = formDecoded(text.slice(0, colon))
    const secret = formDecoded(text.slice(colon + 1))
    return { id, secret: secret === '' ? undefined : secret }
  } catch {
    return undefined
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * The client's id and secret as input members, if the header gave them.
 * @throws Refused invalid_request when the body authenticates too (RFC 6749 §2.3); repeating the same id is allowed
 */
export function clientMembers(request: FastifyRequest, body: object): object {
  const { client } = request.state
  if (!client) return {}
  const { client_id: id, client_secret: secret } = body as Record<string, unknown>
  const field = secret ? 'client_secret' : id && id !== client.id ? 'client_id' : undefined
  if (field) {
    throw new Refused({
      refusal: 'invalid_request',
      field,
      message: `${field}: the client already authenticates in the Authorization header`,
    })
  }
  return { client_id: client.id, client_secret: client.secret }
}
