import type { Refusal } from '@callboard/values'
import type { ClientTable } from '../store/tables.ts'

/** `invalid_request`: its makers have to mend it. `temporarily_unavailable`: it cannot be decided now. */
export type DocumentedClient = ClientTable | Refusal<'invalid_request' | 'temporarily_unavailable'>

/** The documents of third parties that are being read, by client id. */
export type Reading = Map<string, Promise<DocumentedClient>>
