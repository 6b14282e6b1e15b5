import { OperatorName } from '@callboard/contract'
import type { Env } from '@callboard/runtime'

/**
 * The name under which an operator's action is written down: `OPERATOR_NAME`, or that of the user who runs the command. It is
 * their own word: who may run the command may give another.
 */
export function operatorName({ OPERATOR_NAME, USER, LOGNAME }: Env): string {
  const name = OperatorName.safeParse(OPERATOR_NAME || USER || LOGNAME)
  return name.success ? name.data : 'unnamed'
}
