import { routes } from '@callboard/contract'
import type { FastifyInstance } from 'fastify'
import { KeptBody } from '../shared-reads/representations.ts'
import { sendShared } from '../shared-reads/send-shared.ts'

type Route = ReturnType<typeof routes>[number]

/** Further documents, each with a description. */
const DOCUMENTS = [
  ['/openapi.json', 'OpenAPI 3.1 of every route'],
  ['/mcp', 'the hosted MCP server: the same operations as tools, with a bearer'],
  [
    '/.well-known/agent-card.json',
    'the agent-to-agent server (A2A): the same operations as skills, most without a credential',
  ],
  ['/.well-known/api-catalog', 'the APIs of this origin (RFC 9727)'],
  ['/.well-known/x402', 'the resources of this origin that are paid with x402'],
  ['/docs', 'the reference, for people'],
  ['/docs/probes', 'what a probe of an endpoint can find, and how to fix it'],
  ['/call/feed.xml', 'newly verified listings, as Atom'],
] as const

/** @source llmstxt.org: a heading, a summary, and lists of links */
export function llmsText(origin: string, all: readonly Route[] = routes()): string {
  const open = all.filter(({ http }) => http.auth === 'none' && http.method === 'GET' && !http.path.includes(':'))
  return [
    '# Callboard',
    '',
    '> An open directory of APIs that are paid per call with x402 in USDC, accounts from which agents pay, and a router to language models.',
    '',
    'Search `/api/call/discovery?q=`, call the URL of a result, and pay what its 402 asks: the live offer counts, not what is listed here.',
    '',
    '## Documents',
    '',
    ...DOCUMENTS.map(([path, what]) => `- [${path}](${origin}${path}): ${what}`),
    '',
    '## Reads that need no credential',
    '',
    ...open.map((route) => lineOf(origin, route)),
    '',
  ].join('\n')
}

/** A link to a read, or its required parameters if it answers nothing without them, so that every link works. */
function lineOf(origin: string, { http: { path }, summary, input }: Route): string {
  const missing = new Set(input.safeParse({}).error?.issues.map(({ path: [name] }) => String(name)))
  if (missing.size === 0) return `- [${path}](${origin}${path}): ${summary}`
  return `- \`${path}?${[...missing].map((name) => `${name}=`).join('&')}\`: ${summary}`
}

export function addLlms(app: FastifyInstance): void {
  const body = new KeptBody(Buffer.from(llmsText(app.publicOrigin)))
  app.get('/llms.txt', (request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600')
    return sendShared(request, reply, body)
  })
}
