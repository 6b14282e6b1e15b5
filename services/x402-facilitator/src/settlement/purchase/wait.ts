import type { FacilitatorContext } from '../../context.ts'

/** Time reserved for sending the answer. */
const ANSWER_MS = 1_000

/** How long a request waits for an outcome: as configured, and never past its own deadline. */
export const waitMsOf = ({ config, timeoutMs }: FacilitatorContext & { readonly timeoutMs: number }): number =>
  Math.max(0, Math.min(config.SETTLE_WAIT_MS, timeoutMs - ANSWER_MS))
