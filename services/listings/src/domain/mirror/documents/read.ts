import type { ClaimFault, ToldResource } from '../claim.ts'

/** What a document of a source holds. */
export interface Told {
  readonly resources: readonly ToldResource[]
  /** Entries that are left out before they are looked at, by why. */
  readonly leftOut: Readonly<Partial<Record<ClaimFault, number>>>
  /** Entries of the page, whatever they are; a page without one is the last. */
  readonly entries: number
  /** How many there are over all pages, where the source says so. */
  readonly total?: number | undefined
  /** Documents that it refers to, in its order. */
  readonly follow?: readonly FollowedDocument[] | undefined
}

export interface FollowedDocument {
  readonly kind: 'openapi' | 'api-catalog'
  readonly url: string
}

/** A document that is not what its source's kind says, in words. */
export class NotThatDocument extends Error {
  override readonly name = 'NotThatDocument'
}

/**
 * The JSON of a document. What it holds is read member by member and no deeper than its readers go.
 * @throws NotThatDocument
 */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotThatDocument('It is no JSON.')
  }
}
