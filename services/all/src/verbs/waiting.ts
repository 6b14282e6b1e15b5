import { type OutputOf, listings as operations } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { callAsOperator, pagesOf } from './call-as-operator.ts'
import { printable } from './printable.ts'

const PAGE = 200

/** How the operator looks at each. */
const LOOK = { verification: 'look', terms: 'mirror look' } as const

/** Prints what waits for the operator, oldest first, with the command that shows each. */
export async function printWaiting(running: Running): Promise<number> {
  let count = 0
  const pages = pagesOf<OutputOf<typeof operations.waiting>>('What waits cannot be read', (after) =>
    callAsOperator(running, operations.waiting, { limit: PAGE, after }),
  )
  for await (const { waiting } of pages) {
    for (const { since, asks, slug, name } of waiting) {
      console.log(`${since} ${asks.padEnd(12)} ${slug}  ${printable(name)}`)
      console.log(`  npm run operator -- ${LOOK[asks]} ${slug}`)
    }
    count += waiting.length
  }
  console.log(`${count} waiting`)
  return 0
}
