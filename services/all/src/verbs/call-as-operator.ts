import { anonymous, type InputOf, type Operation } from '@callboard/contract'
import type { Running } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { z } from 'zod'

/** Calls an operation of the instance that the operator's command runs beside. */
export const callAsOperator = <Op extends Operation>(
  { bus }: Running,
  op: Op,
  input: InputOf<Op>,
  timeoutMs = 10 * SECOND_MS,
) => bus.call(op, input, { caller: anonymous, requestId: `operator-${process.pid}`, timeoutMs })

/** Prints a line for each member of an input that is wrong. */
export function printIssues({ issues }: z.ZodError): void {
  for (const { path, message } of issues) console.error(`${path.join('.')}: ${message}`)
}
