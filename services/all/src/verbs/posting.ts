import { type InputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator, printIssues } from './call-as-operator.ts'
import { quoted } from './printable.ts'

type Asked = InputOf<typeof operations.reviewPosting>

/** The operator, and what the poster is told. */
interface Said {
  readonly by: string
  readonly reason?: string | undefined
}

/** Returns what a command line of `posting` does; undefined for another command, or a syntax error. */
export function postingVerb([noun, verb, id, ...more]: readonly string[], { by, reason }: Said) {
  if (noun !== 'posting' || id === undefined || more.length > 0) return undefined
  if (verb === 'look') return (running: Running) => review(running, { verdict: 'look', id })
  if (verb === 'take-down') return (running: Running) => review(running, { verdict: 'take_down', id, reason, by })
  return undefined
}

/** The input comes from the operator, so it is validated like any other. */
async function review(running: Running, asked: Readonly<Record<string, string | undefined>>): Promise<number> {
  const parsed = operations.reviewPosting.input.safeParse(asked)
  if (!parsed.success) {
    printIssues(parsed.error)
    return 1
  }
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
