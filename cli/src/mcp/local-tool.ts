import { ApiRefusal, OutcomeUnknown } from '@callboard/client'
import type { CallToolResult, Tool as Listed } from '@modelcontextprotocol/server'
import { jsonOf } from '../print.ts'
import { sentenceOf } from '../sentences.ts'

/** A tool of the local server, and what it does. */
export interface LocalTool {
  readonly listed: Listed
  /** @param cancelled aborts when the client no longer waits for the answer, or is gone */
  readonly run: (given: Readonly<Record<string, unknown>>, cancelled: AbortSignal) => Promise<CallToolResult>
}

/** A server of local tools, and how it tells of failures. */
export interface LocalServer {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly tools: readonly LocalTool[]
  /** The answer for what a tool threw. */
  readonly failed: (error: unknown) => CallToolResult
  /** Reports what no answer tells, such as a message that is none. */
  readonly report: (error: Error) => void
}

/** An answer as a model reads it: as structure, and as the same JSON in a text. */
export const answered = (data: object, more: Partial<CallToolResult> = {}): CallToolResult => {
  const text = jsonOf(data)
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text), ...more }
}

/** A failure in our own words, as an answer: the model is to read it, and to do better. */
export const failed = (error: unknown): CallToolResult =>
  answered({ error: codeOf(error), message: sentenceOf(error), ...factsOf(error) }, { isError: true })

/** The code of a refusal, or of an error class of ours: `RefusedByPolicy` is `refused_by_policy`. */
const codeOf = (error: unknown): string => {
  if (error instanceof ApiRefusal) return error.code
  const { name } = error instanceof Error ? error : { name: 'Error' }
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

function factsOf(error: unknown): object {
  if (error instanceof OutcomeUnknown) return { repeatable: error.repeatable }
  if (!(error instanceof ApiRefusal)) return {}
  const { field, requestId, retryAfterSeconds } = error
  return { field, request_id: requestId, retryAfterSeconds }
}
