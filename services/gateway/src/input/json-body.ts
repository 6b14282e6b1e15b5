import { hasMoreValues, type JsonFault, readJsonBytes } from '@callboard/x402'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../answers/errors.ts'

/** Members, objects and lists of a body; a prompt of 50,000 parts has 150,000. */
const MOST_VALUES = 250_000
/** Characters of a member's name that a refusal repeats. */
const LONGEST_KEY = 64

const FAULTS: Readonly<Record<JsonFault, (key: string) => string>> = {
  not_utf8: () => 'is not UTF-8',
  byte_order_mark: () => 'begins with a byte-order mark',
  not_json: () => 'is not JSON',
  duplicate_key: (key) => `has the member ${JSON.stringify(key)} twice in one object`,
  forbidden_key: (key) => `names a member ${JSON.stringify(key)}`,
  number_out_of_range: () => 'has a number that cannot be read exactly',
  too_deep: () => 'is nested too deeply',
}

/**
 * Parses JSON bodies once and keeps their bytes for payments to be bound to: with fastify's own parser, or where the
 * contract says `strictJson`, with one that refuses what two readers could interpret differently.
 */
export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.state.rawBody = body as Buffer
    if (body.length === 0) return done(null, undefined)
    if (hasMoreValues(body as Buffer, MOST_VALUES))
      return done(unfitBody(`has more than ${MOST_VALUES} members, objects and lists`))
    if (!request.routeOptions.config.route?.http.strictJson) return parse(request, body.toString(), done)
    const read = readJsonBytes(body as Buffer)
    if (read.ok) return done(null, read.value)
    done(unfitBody(FAULTS[read.reason](read.key?.slice(0, LONGEST_KEY) ?? '')))
  })
}

const unfitBody = (reason: string): Refused =>
  new Refused({
    refusal: 'invalid_request',
    field: 'body',
    message: `body: ${reason}`,
    details: { issues: [{ field: 'body', reason }] },
  })
