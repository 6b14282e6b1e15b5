import { userInfo } from 'node:os'
import { OperatorName } from '@callboard/contract'
import type { Env } from '@callboard/runtime'
import { misunderstood } from '@callboard/runtime/command-line'

/**
 * The name under which an operator's action is recorded: the one of the command line, `OPERATOR_NAME`, or the user who
 * runs the command. It is unproven: whoever may run the command may give another.
 * @param by `--by`; a name that cannot be recorded ends the process
 */
export function operatorName({ OPERATOR_NAME, USER, LOGNAME }: Env, by: string | undefined, usage: string): string {
  const name = OperatorName.safeParse(by ?? (OPERATOR_NAME || USER || LOGNAME || userOfProcess()))
  if (name.success) return name.data
  return by === undefined ? 'unnamed' : misunderstood('--by must be a name of 1 to 80 characters in one line.', usage)
}

/** A job of cron or systemd may have neither variable. The user of a pod has no name, which Node reports by throwing. */
function userOfProcess(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
