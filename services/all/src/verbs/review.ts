import { type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator, printIssues } from './call-as-operator.ts'
import { quoted } from './printable.ts'

export type Verdict = 'look' | 'verify' | 'reject' | 'suspend' | 'reopen'

/** What a command line contains besides the verdict and the slug. */
export interface VerdictWords {
  readonly by: string
  /** The value of `seen` from an earlier look. */
  readonly seen?: string | undefined
  /** For `reject` and `suspend`. */
  readonly reason?: string | undefined
  /** Checklist items, separated by commas. */
  readonly checked?: string | undefined
  readonly note?: string | undefined
}

/**
 * Shows a listing or gives a verdict on it. A verdict that names what was shown applies only to that, even if its owner
 * has changed the listing since.
 * @returns the exit code
 */
export async function review(running: Running, slug: string, verdict: Verdict, words: VerdictWords): Promise<number> {
  const asked = operations.review.input.safeParse({
    ...{ slug, verdict, ...words },
    checked: words.checked?.split(',').map((item) => item.trim()),
  })
  if (!asked.success) return printIssues(asked.error)
  const answer = await callAsOperator(running, operations.review, asked.data)
  if (isRefusal(answer)) {
    console.error(`${slug}: ${answer.refusal}${answer.message ? `. ${answer.message}` : ''}`)
    return 1
  }
  if (verdict === 'look') console.log(looked(answer).join('\n'))
  console.log(`${answer.slug}: status ${answer.status}, verification ${answer.verification}`)
  return 0
}

type Looked = OutputOf<typeof operations.review>

function looked({ slug, facts, seen, checklist, checklistVersion }: Looked): string[] {
  const { name, description, payoutWallet, payTo, operations } = facts
  const demanded = checklist.filter(({ holds }) => holds !== true).map(({ item }) => item)
  return [
    ...[...quoted(name), ...quoted(description)],
    `payout wallet ${payoutWallet}, paid at ${payTo}`,
    ...operations.map(({ method, url, name }) => `${method} ${url} ${name}`),
    `checklist, version ${checklistVersion}:`,
    ...checklist.map(answerLine),
    `to verify just this: npm run operator -- verify ${slug} ${seen} --checked ${demanded.join(',')}`,
  ]
}

function answerLine({ item, question, holds, detail }: Looked['checklist'][number]): string {
  const mark = holds === null ? 'you' : holds ? 'yes' : 'NO'
  return `  ${mark.padEnd(4)}${item.padEnd(15)} ${question}${detail ? ` ${detail}` : ''}`
}
