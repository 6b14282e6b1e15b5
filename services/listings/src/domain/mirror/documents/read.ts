import type { ClaimFault, ToldResource } from '../claim.ts'

/** The contents of a source's document. */
export interface Told {
  readonly resources: readonly ToldResource[]
  /** Entries that are left out before they are read, by reason. */
  readonly leftOut: Readonly<Partial<Record<ClaimFault, number>>>
  /** All entries of the page, including those left out; a page without any is the last. */
  readonly entries: number
  /** The total over all pages, if the source says so. */
  readonly total?: number | undefined
  /** Documents that it refers to, in the order of the source. */
  readonly follow?: readonly FollowedDocument[] | undefined
}

export interface FollowedDocument {
  readonly kind: 'openapi' | 'api-catalog'
  readonly url: string
}

/** A document that is not of its source's kind, in words. */
export class NotThatDocument extends Error {
  override readonly name = 'NotThatDocument'
}

/**
 * The JSON of a document. Its values are read member by member, and no deeper than the readers go.
 * @throws NotThatDocument
 */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotThatDocument('It is not JSON.')
  }
}
