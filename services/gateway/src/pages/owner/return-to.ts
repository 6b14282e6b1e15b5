/** Where a sign-in may lead: a path of our own, beginning with one slash. */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/
/** The longest path leads to an authorization request, whose query may have 8 KiB. */
const LONGEST = 8_448

/**
 * The path to return to after signing in.
 * @param asked the `return_to` parameter, which anyone can write
 * @returns undefined for what could lead to another origin
 */
export function returnTo(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== 'string' || asked.length > LONGEST || !PATH.test(asked)) return undefined
  return URL.parse(asked, origin)?.origin === origin ? asked : undefined
}

/** The sign-in page that comes back to a path. */
export const signInAt = (path: string): string => `/signin?return_to=${encodeURIComponent(path)}`

/** The sign-in page for an owner who is signed in, and whose wallet signs once more. */
export const signInAgainAt = (path: string): string => `${signInAt(path)}&again=true`
