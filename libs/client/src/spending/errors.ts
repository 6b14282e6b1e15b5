import type { NotPaidFor } from './offer-seen.ts'

/** The policy does not allow the payment; nothing was signed. */
export class RefusedByPolicy extends Error {
  override readonly name = 'RefusedByPolicy'
}

/** Something was signed but no answer came. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  /** Whether the same call sends the same signature again, instead of another. */
  readonly repeatable: boolean

  constructor(message: string, { repeatable, cause }: { readonly repeatable: boolean; readonly cause: unknown }) {
    super(message, { cause })
    this.repeatable = repeatable
  }
}

/** The seller gave no answer; nothing was signed. */
export class SellerUnreachable extends Error {
  override readonly name = 'SellerUnreachable'
}

/** The seller asks for something that cannot be paid; nothing was signed. */
export class NotPayable extends Error {
  override readonly name = 'NotPayable'
  readonly reason: NotPaidFor

  constructor(url: string, reason: NotPaidFor, cause: unknown) {
    super(`${new URL(url).origin} asks for a payment that cannot be made (${reason.kind})`, { cause })
    this.reason = reason
  }
}
