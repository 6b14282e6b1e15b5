import type { RouterContext } from '../context.ts'
import { type RefusedCall, recordRefusal } from '../store/refusal.repository.ts'

/** Records a refusal without delaying the answer; a failure to record it does not change the answer. */
export function noteRefusal({ db, log }: Pick<RouterContext, 'db' | 'log'>, refused: RefusedCall): void {
  recordRefusal(db, refused).catch((error: unknown) => log.warn({ err: error }, 'a refusal could not be noted'))
}
