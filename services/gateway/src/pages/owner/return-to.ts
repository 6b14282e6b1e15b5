/** Where a sign-in may lead: a path of our own, starting with a single slash. */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/
/** Enough for the longest path, that of an authorization request, whose query may have 8 KiB. */
const LONGEST = 8_448

/**
 * The path to return to after signing in.
 * @param asked the `return_to` parameter, which anyone can set
 * @returns undefined if it could lead to another origin
 */
export function returnTo(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== 'string' || asked.length > LONGEST || !PATH.test(asked)) return undefined
  return URL.parse(asked, origin)?.origin === origin ? asked : undefined
}

/** The sign-in page that returns to a path. */
export const signInAt = (path: string): string => `/signin?return_to=${encodeURIComponent(path)}`

/** The sign-in page for a signed-in owner whose wallet has to sign again. */
export const signInAgainAt = (path: string): string => `${signInAt(path)}&again=true`
