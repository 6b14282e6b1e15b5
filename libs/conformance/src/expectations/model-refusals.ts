import { expect } from 'vitest'

/** What a refusal of a model route must contain. */
interface Expected {
  readonly status: number
  readonly code: string
  /** The faulty member of the request. */
  readonly field: string | undefined
}

/** The `type` by which OpenAI's clients tell errors apart. */
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_quota',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** The `type` by which Anthropic's clients tell errors apart; they know no other code. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** The body is an error of OpenAI's API. */
export function expectOpenaiBody(body: object, { status, code, field }: Expected): void {
  expect(Object.keys(body)).toEqual(['error'])
  const { error } = body as { error: object }
  const type = OPENAI_TYPES[status] ?? expect.any(String)
  expect(error).toMatchObject({ message: expect.stringMatching(/\S/), type, code })
  if (field === undefined) expect(error).toHaveProperty('param')
  else expect(error).toMatchObject({ param: field })
}

/** The body is an error of Anthropic's API, whose message names the field. */
export function expectAnthropicBody(
  body: object,
  { status, field, requestId }: Expected & { readonly requestId: string | null },
): void {
  expect(Object.keys(body).sort()).toEqual(['error', 'request_id', 'type'])
  const type = ANTHROPIC_TYPES[status] ?? expect.any(String)
  const message = expect.stringContaining(field ?? ' ')
  expect(body).toMatchObject({ type: 'error', error: { type, message }, request_id: requestId })
  expect(requestId).toMatch(/\S/)
}
