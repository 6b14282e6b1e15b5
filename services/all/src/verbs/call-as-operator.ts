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

/** As of a command line that is not understood. */
const WRONG_INPUT = 2

/** Prints a line for each member of an input that is wrong. @returns the exit code */
export function printIssues({ issues }: z.ZodError): number {
  for (const { path, message } of issues) console.error(`${path.join('.')}: ${message}`)
  return WRONG_INPUT
}
