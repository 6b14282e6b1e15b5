/** An endpoint's URL without user and password, and the headers that carry them. */
export interface PlainEndpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** `fetch` refuses credentials in a URL; as a header they work everywhere. @source RFC 7617 */
export function withoutCredentials(configured: string): PlainEndpoint {
  const url = new URL(configured)
  if (!url.username) return { url: url.href, headers: {} }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = url.password = ''
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } }
}
