import type { SourceKind } from '@callboard/contract'
import { apiCatalog } from './api-catalog.ts'
import { facilitatorPage } from './facilitator.ts'
import { openapiDocument } from './openapi.ts'
import type { Told } from './read.ts'
import { wellKnownDocument } from './well-known.ts'

export { NotThatDocument, type Told } from './read.ts'

const READERS: Readonly<Record<SourceKind, (text: string, at: URL) => Told>> = {
  facilitator: facilitatorPage,
  openapi: openapiDocument,
  'well-known': wellKnownDocument,
  'api-catalog': apiCatalog,
}

/**
 * Reads a document of a given kind.
 * @param at where it was read
 * @throws NotThatDocument if it is not of that kind
 */
export const readDocumentOf = (kind: SourceKind, text: string, at: URL): Told => READERS[kind](text, at)
