import { OperatorName } from '@callboard/contract'
import type { Env } from '@callboard/runtime'

/**
 * The name under which an operator's action is recorded: `OPERATOR_NAME`, or the user who runs the command. It is
 * unproven: whoever may run the command may give another.
 */
export function operatorName({ OPERATOR_NAME, USER, LOGNAME }: Env): string {
  const name = OperatorName.safeParse(OPERATOR_NAME || USER || LOGNAME)
  return name.success ? name.data : 'unnamed'
}
