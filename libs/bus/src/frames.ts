import type { CallMeta } from './meta.ts'

/** The payload of a request. */
export interface RequestBody {
  readonly input: unknown
  readonly payment?: CallMeta['payment']
}

/** The kind of a message to the caller: `working`, a heartbeat; or the answer, `ok`, `refused` or `fault`. */
export const STATUS = 'cb-status'
export const FAULT_KIND = 'cb-fault'

/** Headers of messages that carry nothing but their kind, created once. */
export const WORKING = { [STATUS]: 'working' }
export const OK = { [STATUS]: 'ok' }
export const REFUSED = { [STATUS]: 'refused' }
