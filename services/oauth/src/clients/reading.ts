import type { Refusal } from '@callboard/values'
import type { ClientTable } from '../store/tables.ts'

/** `invalid_request`: the client's authors have to fix it. `temporarily_unavailable`: it cannot be decided now. */
export type DocumentedClient = ClientTable | Refusal<'invalid_request' | 'temporarily_unavailable'>

/** Metadata documents that are being read, by client id. */
export type Reading = Map<string, Promise<DocumentedClient>>
