import type { RouterContext } from '../context.ts'
import { type RefusedCall, recordRefusal } from '../store/refusal.repository.ts'

/** Notes a refusal beside the answer, which does not wait for it; one that cannot be noted is no reason to answer otherwise. */
export function noteRefusal({ db, log }: Pick<RouterContext, 'db' | 'log'>, refused: RefusedCall): void {
  recordRefusal(db, refused).catch((error: unknown) => log.warn({ err: error }, 'a refusal could not be noted'))
}
