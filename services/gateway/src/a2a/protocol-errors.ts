import type { A2aError } from '@callboard/contract'
import type { Issue } from '../input/unfit-json.ts'

/** What a message leads to: a result, or an error of the protocol. */
export type Outcome = { readonly result: object } | { readonly error: A2aError }

const failed = (code: number, message: string, detail?: A2aError['data']): Outcome => ({
  error: { code, message, ...(detail ? { data: detail } : {}) },
})

/** An error of A2A itself, with the name by which its clients know it. @source A2A 1.0 §3.3.2, §5.4 */
const ofA2a = (code: number, reason: string, message: string): Outcome =>
  failed(code, message, [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }])

export const unread = (message = 'The body is not JSON.'): Outcome => failed(-32_700, message)
export const notOneMessage = failed(
  -32_600,
  'The body must be one JSON-RPC 2.0 request, with an id that is text or a whole number. Lists are not taken.',
)
export const unknownMethod = failed(-32_601, 'This method is not one of A2A 1.0. Send SendMessage.')

export const unsupported = ofA2a(
  -32_004,
  'UNSUPPORTED_OPERATION',
  'This agent answers each message at once: it has no streams, no list of tasks and no extended card. Send SendMessage.',
)
export const noTask = ofA2a(-32_001, 'TASK_NOT_FOUND', 'There is no such task: this agent makes none.')
export const noNotifications = ofA2a(
  -32_003,
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'This agent sends no push notifications: the answer to a message has all of it.',
)
export const noFiles = ofA2a(
  -32_005,
  'CONTENT_TYPE_NOT_SUPPORTED',
  'This agent takes a text, or data in JSON, and no files.',
)
export const otherVersion = ofA2a(
  -32_009,
  'VERSION_NOT_SUPPORTED',
  'This agent speaks A2A 1.0: send the header A2A-Version: 1.0. Without it a message is of version 0.3.',
)

/** Parameters that are not as they must be, each with its place. @source A2A 1.0 §9.5 */
export const badParameters = (issues: readonly Issue[]): Outcome => {
  const [first] = issues
  return failed(-32_602, first ? `${first.field}: ${first.reason}` : 'The parameters are not valid.', [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: issues.map(({ field, reason }) => ({ field, description: reason })),
    },
  ])
}
