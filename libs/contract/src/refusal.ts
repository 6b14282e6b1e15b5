import type { z } from 'zod'

/**
 * The shape of a refusal's body: `{error, message}`; on OAuth routes `{error, error_description}`; on the model routes
 * the shapes of OpenAI's and Anthropic's clients.
 */
export type Surface = 'api' | 'oauth' | 'openai' | 'anthropic'

/** The declaration of one expected "no": its code, its HTTP status, and what it means to the caller. */
export interface RefusalDeclaration<Code extends string = string> {
  readonly code: Code
  readonly status: number
  readonly meaning: string
  /** Members of the body in addition to those of every refusal. */
  readonly details?: Readonly<Record<string, z.ZodType>>
}

/**
 * Declares a refusal. One code has one status everywhere.
 * @param status the HTTP status the gateway answers with
 * @param meaning one sentence for docs/errors.md and the OpenAPI document
 * @param details members of the body that only this refusal has
 */
export const refusal = <const Code extends string>(
  code: Code,
  status: number,
  meaning: string,
  details?: RefusalDeclaration['details'],
): RefusalDeclaration<Code> => ({ code, status, meaning, ...(details ? { details } : {}) })
