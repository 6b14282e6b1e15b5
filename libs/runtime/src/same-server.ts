/**
 * Says no where a new URL of a server names more than another user or password: connections of one process to two servers
 * would split what is one.
 */
export function sameServer(before: unknown, now: unknown): string | undefined {
  return without(String(before)) === without(String(now))
    ? undefined
    : 'names another server, or asks it for something else: only user and password change without a restart'
}

/** The addresses without who signs in. */
const without = (urls: string): string =>
  urls
    .split(',')
    .map((url) => url.trim().replace(/\/\/[^@/]*@/, '//'))
    .join()
