import type { Json } from './json.ts'

/** The provider whose error bodies and headers an endpoint uses. */
export type Dialect = 'openai' | 'anthropic'

/** A request that the provider refuses. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | null
  readonly param: string | null

  constructor(status: number, message: string, { code = null, param = null }: Partial<Detail> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}

interface Detail {
  readonly code: string | null
  readonly param: string | null
}

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  429: 'rate_limit_error',
  500: 'server_error',
}

const OPENAI_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
}

/**
 * The body of an error, in the provider's format.
 * @source openai-openapi `Error`: all four keys are required; Anthropic API, errors
 */
export function errorBody(dialect: Dialect, { status, message, code, param }: Refused, requestId: string): Json {
  if (dialect === 'anthropic') {
    const type = ANTHROPIC_TYPES[status] ?? 'invalid_request_error'
    return { type: 'error', error: { type, message }, request_id: requestId }
  }
  const type = OPENAI_TYPES[status] ?? 'invalid_request_error'
  return { error: { message, type, param, code: code ?? OPENAI_CODES[status] ?? null } }
}

/** The headers of every answer; an error `status` adds those of an error. */
export function headersOf(dialect: Dialect, requestId: string, status = 200): Readonly<Record<string, string>> {
  return {
    [dialect === 'anthropic' ? 'request-id' : 'x-request-id']: requestId,
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  }
}
