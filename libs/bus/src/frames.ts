import type { CallMeta } from './meta.ts'

/** The payload of a request. */
export interface RequestBody {
  readonly input: unknown
  readonly payment?: CallMeta['payment']
}

/** What a message to the caller is: `working`, a sign of life; or the answer, `ok`, `refused` or `fault`. */
export const STATUS = 'cb-status'
export const FAULT_KIND = 'cb-fault'

/** The headers of what says no more than what it is, made once. */
export const WORKING = { [STATUS]: 'working' }
export const OK = { [STATUS]: 'ok' }
export const REFUSED = { [STATUS]: 'refused' }
