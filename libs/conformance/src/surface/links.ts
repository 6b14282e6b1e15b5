import { expect, test } from 'vitest'
import { Client } from '../actors/client.ts'
import type { TargetOf } from '../target.ts'

/** The documents of an instance that link to other parts of it. */
const DOCUMENTS = [
  ...['/', '/docs', '/docs/probes', '/llms.txt', '/call/feed.xml'],
  ...['/.well-known/api-catalog', '/.well-known/x402', '/openapi.json', '/x402/openapi.json'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'],
  '/.well-known/agent-card.json',
]

/** Follows every link of every document, as a crawler that keeps to one origin does. */
export function registerLinks(target: TargetOf): void {
  test.each(DOCUMENTS)('every link of %s to this origin resolves', async (document) => {
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

/** Paid routes answer 402, one that takes a bearer asks for it, and routes with another method than GET name it. */
function isAlive(path: string, { status, headers }: { status: number; headers: Headers }): boolean {
  if (path === '/mcp') return status === 401
  if (status === 405) return !headers.get('allow')?.includes('GET')
  return status === 200 || status === 402
}

/** Absolute URLs of an origin anywhere, and relative ones in `href`s, except templates. */
function linksOf(text: string, { origin }: URL): Set<string> {
  const absolute = text
    .split(origin)
    .slice(1)
    .map((rest) => /^[^\s"'<>()\\]*/.exec(rest)?.[0] ?? '')
  const relative = [...text.matchAll(/href=["'](\/[^"'/][^"']*)["']/g)].map(([, href = '']) => href)
  const paths = [...absolute, ...relative].map((path) => path.replaceAll('&amp;', '&').replace(/#.*$/, ''))
  return new Set(paths.filter((path) => path.startsWith('/') && !/[{}]|\.\.\./.test(path)))
}
