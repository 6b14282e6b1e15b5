import { type InputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator, printIssues } from './call-as-operator.ts'
import { quoted } from './printable.ts'

type Asked = InputOf<typeof operations.reviewPosting>

/**
 * Shows a posting, or takes it down.
 * @param asked comes from the operator, so it is validated like any other input
 * @returns the exit code
 */
export async function reviewPosting(
  running: Running,
  asked: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const parsed = operations.reviewPosting.input.safeParse(asked)
  if (!parsed.success) return printIssues(parsed.error)
  const answer = await callAsOperator(running, operations.reviewPosting, parsed.data as Asked)
  if (isRefusal(answer)) {
    console.error(`${parsed.data.id}: ${answer.refusal}`)
    return 1
  }
  const { id, kind, title, description, contactUrl, postedBy, status, expiresAt } = answer.posting
  console.log([title, description, contactUrl].flatMap(quoted).join('\n'))
  console.log(`${id}: ${kind} of ${postedBy}, ${status}, until ${expiresAt}`)
  return 0
}
