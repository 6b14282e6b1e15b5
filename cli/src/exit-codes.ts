import {
  ApiKeyFileUnusable,
  ApiRefusal,
  ApiUnreachable,
  CredentialsUnusable,
  NoReceipts,
  NotLinked,
  NotPayable,
  OutcomeUnknown,
  RefusedByPolicy,
  SellerUnreachable,
  UnusableKeys,
  WrongOrigin,
} from '@callboard/client'

/** What a script can learn from the exit code. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  /** Not linked, not allowed, or refused by the owner. */
  unauthorized: 3,
  /** The service or the seller cannot be reached, or asks to try again later. */
  unavailable: 4,
  /**
   * The spending policy forbids it, or the offer cannot be paid: nothing was signed. Of a seller's command: the endpoint or
   * the splitter is not what a listing needs, and no transaction was signed.
   */
  policy: 5,
  /** The seller refused the payment, or the token refused the transfer. */
  paymentRefused: 6,
  /**
   * Signed, with unknown outcome, or with an answer that broke off or is an error: the message says whether to repeat the
   * command.
   */
  outcomeUnknown: 7,
  /** Not found, or in conflict with something else. */
  notFound: 8,
} as const

/** The command line was wrong. */
export class Usage extends Error {
  override readonly name = 'Usage'
}

/** There is no API key for the seller's commands, or it is no longer valid. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
}

/** An endpoint cannot be listed as it answers now. */
export class NotListable extends Error {
  override readonly name = 'NotListable'
}

/** A chain cannot be asked, or is another one than the listing's. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable'
}

/** A splitter, or a transaction to it, is not what it should be; nothing was signed. */
export class WrongSplitter extends Error {
  override readonly name = 'WrongSplitter'
}

/** A transaction would cost more than its seller allows; nothing was signed. */
export class FeeTooHigh extends Error {
  override readonly name = 'FeeTooHigh'
}

/** A transaction was refused by the chain before it was sent, or it reverted. */
export class TransactionFailed extends Error {
  override readonly name = 'TransactionFailed'
}

/** There is no such listing of the seller. */
export class NoListing extends Error {
  override readonly name = 'NoListing'
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof NoListing) return EXIT.notFound
  if ([Usage, WrongOrigin, ApiKeyFileUnusable, CredentialsUnusable].some((kind) => error instanceof kind))
    return EXIT.usage
  if (error instanceof NotLinked || error instanceof NotSignedIn) return EXIT.unauthorized
  if ([RefusedByPolicy, NotPayable, NotListable, WrongSplitter, FeeTooHigh].some((kind) => error instanceof kind))
    return EXIT.policy
  if (error instanceof OutcomeUnknown) return EXIT.outcomeUnknown
  if ([ApiUnreachable, SellerUnreachable, ChainUnreachable, UnusableKeys].some((kind) => error instanceof kind))
    return EXIT.unavailable
  if (error instanceof NoReceipts) return ofStatus(error.status)
  return error instanceof ApiRefusal ? ofRefusal(error) : EXIT.unexpected
}

/** Refusals of a listing that cannot be listed, or activated, as its endpoints and its splitter are now. */
const NOT_LISTABLE = ['endpoint_unreachable', 'no_usable_challenge', 'offer_avoids_splitter', 'splitter_not_deployed']

function ofRefusal({ status, code }: ApiRefusal): number {
  if (code === 'access_denied' || code === 'expired_token') return EXIT.unauthorized
  if (NOT_LISTABLE.includes(code)) return EXIT.policy
  return code === 'transfer_failed' ? EXIT.paymentRefused : ofStatus(status)
}

function ofStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT.unauthorized
  if (status === 404 || status === 409) return EXIT.notFound
  if (status === 429 || status >= 500) return EXIT.unavailable
  return EXIT.unexpected
}
