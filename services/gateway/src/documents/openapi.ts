import { type AboutInstance, openapiDocument, routes, x402Facilitator } from '@callboard/contract'
import { isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import build from '../../package.json' with { type: 'json' }
import type { GatewayContext } from '../context.ts'
import { KeptBody } from '../shared-reads/representations.ts'
import { sendShared } from '../shared-reads/send-shared.ts'

/** How long a document is cached; one without prices only until the seller may be available again. */
const KEPT_MS = 5 * MINUTE_MS
const KEPT_WITHOUT_PRICES_MS = 5 * SECOND_MS
const PRICES_WITHIN_MS = 2 * SECOND_MS

/** The two documents, which differ in the paths of accounts: one suits crawlers, the other client generators. */
const DOCUMENTS = {
  '/openapi.json': 'referred',
  '/openapi.client.json': 'in_place',
} as const satisfies Readonly<Record<string, AboutInstance['accountPaths']>>

interface Document {
  readonly body: KeptBody
  readonly keptMs: number
}

/** Serves the contract as OpenAPI, with the sellers' current prices; if those are unavailable, without prices. */
export function addOpenapi(app: FastifyInstance, ctx: GatewayContext): void {
  for (const [path, accountPaths] of Object.entries(DOCUMENTS)) addDocument(app, ctx, path, accountPaths)
}

function addDocument(
  app: FastifyInstance,
  ctx: GatewayContext,
  path: string,
  accountPaths: AboutInstance['accountPaths'],
): void {
  let kept: { readonly until: number; readonly document: Promise<Document> } | undefined
  app.get(path, async (request, reply) => {
    if (!kept || kept.until < performance.now()) {
      const document = describe(ctx, accountPaths)
      kept = { until: performance.now() + KEPT_WITHOUT_PRICES_MS, document }
      const { keptMs } = await document
      kept = { until: performance.now() + keptMs, document }
    }
    const { body, keptMs } = await kept.document
    reply.type('application/json; charset=utf-8').header('cache-control', `public, max-age=${keptMs / SECOND_MS}`)
    return sendShared(request, reply, body)
  })
}

async function describe(ctx: GatewayContext, accountPaths: AboutInstance['accountPaths']): Promise<Document> {
  const { BASE_URL: baseUrl } = ctx.config
  const sold = routes().filter(({ http }) => http.paid && !http.pricedBy)
  const asked = await Promise.all(sold.map(({ id, http }) => priceOf(ctx, id, new URL(http.path, baseUrl).href)))
  const prices = new Map(asked.flatMap((price) => price ?? []))
  const document = openapiDocument({ baseUrl, version: build.version, prices, accountPaths })
  const body = new KeptBody(Buffer.from(JSON.stringify(document)))
  return { body, keptMs: prices.size === sold.length ? KEPT_MS : KEPT_WITHOUT_PRICES_MS }
}

async function priceOf(
  ctx: GatewayContext,
  operation: string,
  resourceUrl: string,
): Promise<[[string, string]] | undefined> {
  try {
    const offer = await ctx.call(x402Facilitator.offer, { operation, resourceUrl }, { timeoutMs: PRICES_WITHIN_MS })
    return isRefusal(offer) ? undefined : [[operation, offer.priceUsd]]
  } catch (error) {
    ctx.log.warn({ err: error, operation }, 'a price is missing in the OpenAPI document')
    return undefined
  }
}
