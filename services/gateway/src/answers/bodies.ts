import type { Surface } from '@callboard/contract'
import { errorDescription } from './challenge.ts'

/** A refusal to be put into a body. */
interface Shown {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly field: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** The `type` by which OpenAI's clients tell errors apart. */
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** The `type` by which Anthropic's clients tell errors apart. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const openaiType = (status: number) => OPENAI_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
const anthropicType = (status: number) =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

const BODIES: Readonly<Record<Surface, (shown: Shown) => object>> = {
  api: ({ code, message, field, details }) => ({ error: code, message, ...(field ? { field } : {}), ...details }),
  oauth: ({ code, message, details }) => ({ error: code, error_description: errorDescription(message), ...details }),
  openai: ({ code, status, message, field, details }) => ({
    error: { message, type: openaiType(status), param: field ?? null, code, ...details },
  }),
  anthropic: ({ status, message, details, requestId }) => ({
    type: 'error',
    error: { type: anthropicType(status), message, ...details },
    request_id: requestId,
  }),
}

/** The body of a refusal, in the shape that clients of its route expect. */
export const bodyOf = (surface: Surface, shown: Shown): object => BODIES[surface](shown)
