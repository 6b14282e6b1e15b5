/** A client, as far as it ends what it made. */
interface Ending {
  delete(path: string): Promise<unknown>
  with(headers: Readonly<Record<string, string>>): Ending
}

type Body = Readonly<Record<string, unknown>>

/** How that is ended of which an instance holds only so many, by the path that makes it. */
const ENDS: Readonly<Record<string, (client: Ending, made: Body) => Promise<unknown>>> = {
  '/api/call/listings': (client, { listing }) => client.delete(`/api/call/listings/${(listing as Body).slug}`),
  '/oauth/register': (client, { client_id, registration_access_token }) =>
    client.with({ authorization: `Bearer ${registration_access_token}` }).delete(`/oauth/register/${client_id}`),
}

const made: (() => Promise<unknown>)[] = []

/** Notes what a request made, if it takes a place for good. */
export function noteMade(client: Ending, path: string, body: () => unknown): void {
  const end = ENDS[path]
  if (end) made.push(() => end(client, body() as Body))
}

/**
 * Ends what the run made, so that an instance on which the suite runs each night does not fill up. What a test has ended,
 * or the credential of, answers no, which is no failure of the run.
 */
export async function endMade(): Promise<void> {
  await Promise.allSettled(made.splice(0).map((end) => end()))
}
