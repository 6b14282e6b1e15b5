import { type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal } from '@callboard/values'
import { callAsOperator } from './call-as-operator.ts'
import { printable } from './printable.ts'

const PAGE = 200

/** How the operator looks at each. */
const LOOK = { verification: 'look', terms: 'mirror look' } as const

/** Prints what waits for the operator, oldest first, with the command that shows each. */
export async function printWaiting(running: Running): Promise<number> {
  let count = 0
  let after: OutputOf<typeof operations.waiting>['next']
  do {
    const page = await callAsOperator(running, operations.waiting, { limit: PAGE, after })
    if (isRefusal(page)) throw new Error('What waits cannot be read')
    for (const { since, asks, slug, name } of page.waiting) {
      console.log(`${since} ${asks.padEnd(12)} ${slug}  ${printable(name)}`)
      console.log(`  npm run operator -- ${LOOK[asks]} ${slug}`)
    }
    count += page.waiting.length
    after = page.next
  } while (after)
  console.log(`${count} waiting`)
  return 0
}
