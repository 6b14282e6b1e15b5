import { anonymous, type InputOf, type Operation } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { isRefusal, type Refusal, SECOND_MS } from '@callboard/values'
import type { z } from 'zod'

/** Calls an operation of the instance that the operator's command runs beside. */
export const callAsOperator = <Op extends Operation>(
  { bus }: Running,
  op: Op,
  input: InputOf<Op>,
  timeoutMs = 10 * SECOND_MS,
) => bus.call(op, input, { caller: anonymous, requestId: `operator-${process.pid}`, timeoutMs })

/**
 * Asks for one page after another, each after the place that the one before names, until one names none.
 * @throws Error with `failure` when a page is refused
 */
export async function* pagesOf<Page extends { readonly next?: unknown }>(
  failure: string,
  ask: (after: Page['next'] | undefined) => Promise<Page | Refusal>,
): AsyncGenerator<Page> {
  let after: Page['next'] | undefined
  do {
    const page = await ask(after)
    if (isRefusal(page)) throw new Error(failure)
    yield page
    after = page.next
  } while (after !== undefined)
}

/** As of a command line that is not understood. */
const WRONG_INPUT = 2

/** Prints a line for each member of an input that is wrong. @returns the exit code */
export function printIssues({ issues }: z.ZodError): number {
  for (const { path, message } of issues) console.error(`${path.join('.')}: ${message}`)
  return WRONG_INPUT
}
