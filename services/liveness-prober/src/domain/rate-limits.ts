/** This many endpoints in a row answering 429 count as the origin's own limit. */
const IN_A_ROW = 3

/** The 429s of one visit. */
export interface RateLimits {
  /**
   * Notes the answer of one more endpoint.
   * @returns whether the origin itself asks for fewer requests
   */
  note(isLimited: boolean): boolean
}

/**
 * Distinguishes an endpoint that limits its calls from an origin that does. Listings of several owners may share an
 * origin, so a 429 speaks for the endpoint that gave it; only several in a row speak for the whole origin.
 */
export function rateLimits(): RateLimits {
  let inARow = 0
  return {
    note(isLimited) {
      inARow = isLimited ? inARow + 1 : 0
      return inARow >= IN_A_ROW
    },
  }
}
