/**
 * Returns why not if a server's new URL changes more than user or password: one process must not be connected to two
 * servers, which would split its state.
 */
export function sameServer(before: unknown, now: unknown): string | undefined {
  return without(String(before)) === without(String(now))
    ? undefined
    : 'names another server, or asks it for something else: only user and password change without a restart'
}

/** The addresses without credentials. */
const without = (urls: string): string =>
  urls
    .split(',')
    .map((url) => url.trim().replace(/\/\/[^@/]*@/, '//'))
    .join()
