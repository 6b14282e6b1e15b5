import { expect, test } from 'vitest'
import { Client } from '../actors/client.ts'
import type { TargetOf } from '../target.ts'

/** What of an instance leads on to other parts of it. */
const DOCUMENTS = [
  ...['/', '/docs', '/docs/probes', '/llms.txt', '/call/feed.xml'],
  ...['/.well-known/api-catalog', '/.well-known/x402', '/openapi.json', '/x402/openapi.json'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'],
]

/** The interface has these named by the API catalog whether or not a version runs them; so they answer, and say so in words. */
const NAMED_ANYWAY: ReadonlySet<string> = new Set(['/mcp', '/mcp/health', '/a2a'])

/** Follows every link of every document, as a crawler that keeps to one origin does. */
export function registerLinks(target: TargetOf): void {
  test.each(DOCUMENTS)('every link of %s to this origin leads somewhere', async (document) => {
    const client = new Client(target().baseUrl)
    const { status, text } = await client.get(document)
    expect(status).toBe(200)
    const broken: string[] = []
    for (const path of linksOf(text, new URL(target().baseUrl))) {
      const answer = await client.get(path)
      if (!isAlive(path, answer)) broken.push(`${answer.status} ${path}`)
    }
    expect(broken).toEqual([])
  })
}

/** What is paid asks for it, and what is called otherwise than by GET says how. */
function isAlive(path: string, { status, headers }: { status: number; headers: Headers }): boolean {
  if (NAMED_ANYWAY.has(path)) return status === 200 || status === 401 || status === 503
  if (status === 405) return !headers.get('allow')?.includes('GET')
  return status === 200 || status === 402
}

/** Absolute URLs of an origin wherever they stand, and relative ones in `href`s; without those that are templates. */
function linksOf(text: string, { origin }: URL): Set<string> {
  const absolute = text
    .split(origin)
    .slice(1)
    .map((rest) => /^[^\s"'<>()\\]*/.exec(rest)?.[0] ?? '')
  const relative = [...text.matchAll(/href=["'](\/[^"'/][^"']*)["']/g)].map(([, href = '']) => href)
  const paths = [...absolute, ...relative].map((path) => path.replaceAll('&amp;', '&').replace(/#.*$/, ''))
  return new Set(paths.filter((path) => path.startsWith('/') && !/[{}]|\.\.\./.test(path)))
}
