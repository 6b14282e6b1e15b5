import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ZERO_ADDRESS } from '@callboard/values'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARC_TOKEN, BASE_TOKEN, PAYER_KEY, REQUIREMENTS, THIRD_PARTY, TOKENS } from '../../test/vectors.ts'
import { checkAuthorization } from '../authorization/check-authorization.ts'
import { fromBase64, fromUtf8 } from '../base64.ts'
import { isObject } from '../json.ts'
import { encodeHeader, type HeaderValue } from '../messages/headers.ts'
import { readPresentedPayment } from '../messages/presented-payment.ts'
import { fromV1Requirements, type V1PaymentRequirements } from '../messages/v1.ts'
import { readChallenge } from './challenge.ts'

/** A seller's answer to an unpaid request. */
interface Row {
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

let server: Server
let origin: string
let answer: Row
let paid: IncomingMessage['headers'] | undefined

beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.headers['payment-signature'] ?? req.headers['x-payment']) {
      paid = req.headers
      res.end('{}')
    } else res.writeHead(402, answer.headers ?? {}).end(answer.body ?? '{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server?.close())

const client = registerExactEvmScheme(new x402Client(), {
  signer: privateKeyToAccount(PAYER_KEY),
  networks: TOKENS.map(({ network }) => network as `eip155:${number}`),
}).setSpendControls({
  maxAmountPerPayment: false,
  allowedAssets: TOKENS.map(({ network, asset }) => ({ network: network as `eip155:${number}`, asset })),
})

/**
 * Whether the stock client pays: it signs, and its payment passes every check that a facilitator makes before it asks
 * the chain. The last two of these are the token's own and the facilitator's.
 */
async function stockPays(row: Row): Promise<boolean> {
  answer = row
  paid = undefined
  await wrapFetchWithPayment(fetch, client)(origin).catch(() => undefined)
  const header = paid?.['payment-signature'] ?? paid?.['x-payment']
  if (!paid || typeof header !== 'string') return false
  const payload: unknown = JSON.parse(fromUtf8(fromBase64(header) ?? new Uint8Array()) ?? 'null')
  const paymentRequirements = isObject(payload) && payload.x402Version === 2 ? payload.accepted : v1Requirement(row)
  const presented = readPresentedPayment({ paymentPayload: payload, paymentRequirements })
  if (!presented.ok) return false
  const verdict = checkAuthorization(presented.payment, { tokens: TOKENS, now: Math.floor(Date.now() / 1000) })
  return verdict.ok && BigInt(verdict.transfer.amount) > 0n && verdict.transfer.payTo !== ZERO_ADDRESS
}

/** The entry with which a version 1 seller compares a payment: its first one. */
const v1Requirement = ({ headers, body = '{}' }: Row) => {
  const inHeader = headers?.['payment-required']
  const text =
    typeof inHeader === 'string' && inHeader !== ''
      ? (fromUtf8(fromBase64(inHeader) ?? new Uint8Array()) ?? '{}')
      : body
  const [entry] = (JSON.parse(text) as { accepts: V1PaymentRequirements[] }).accepts
  return entry && fromV1Requirements(entry)
}

async function weSayPayable(row: Row): Promise<boolean> {
  answer = row
  const read = await new Promise<{ headers: Record<string, HeaderValue>; bodyText: string }>((resolve, reject) => {
    request(origin, { maxHeaderSize: 128 * 1024 }, (res) => {
      let bodyText = ''
      res.setEncoding('utf8').on('data', (text: string) => {
        bodyText += text
      })
      res.on('end', () => resolve({ headers: res.headers, bodyText }))
    })
      .on('error', reject)
      .end()
  })
  const challenge = readChallenge({ status: 402, ...read }, { tokens: TOKENS })
  return challenge.kind === 'x402' && challenge.payability.some(({ payable }) => payable)
}

const offer = (accepts: unknown, more: object = {}) => ({ x402Version: 2, resource: { url: origin }, accepts, ...more })
const inHeader = (value: object | string, body?: object): Row => ({
  headers: { 'payment-required': typeof value === 'string' ? value : encodeHeader(value) },
  ...(body ? { body: JSON.stringify(body) } : {}),
})
const inBody = (value: object): Row => ({ body: JSON.stringify(value) })
const v2 = (...entries: unknown[]) => inHeader(offer(entries))
const entry = (more: object = {}) => ({ ...REQUIREMENTS, ...more })
const extra = (more: object = {}) => entry({ extra: { ...REQUIREMENTS.extra, ...more } })
const onArc = (more: object = {}) =>
  entry({ network: ARC_TOKEN.network, asset: ARC_TOKEN.asset, extra: { name: 'USDC', version: '2' }, ...more })
const v1Entry = (more: object = {}) => {
  const { amount, ...rest } = REQUIREMENTS
  return {
    ...rest,
    network: 'base',
    maxAmountRequired: amount,
    resource: origin,
    description: '',
    mimeType: '',
    ...more,
  }
}
const v1 = (...entries: unknown[]) => inBody({ x402Version: 1, error: '', accepts: entries })

const GATEWAY = { name: 'GatewayWalletBatched', version: '1' }
const sound = () => encodeHeader(offer([REQUIREMENTS]))

const TABLE: Readonly<Record<string, () => Row>> = {
  'version 2 in the header': () => v2(entry()),
  'version 2 in header and body': () => inHeader(offer([entry()]), offer([entry()])),
  'version 2 in the body alone': () => inBody(offer([entry()])),
  'version 1 in the body': () => v1(v1Entry()),
  'version 1 in the header': () => inHeader({ x402Version: 1, accepts: [v1Entry()] }),
  'version 2 in the header, version 1 in the body': () =>
    inHeader(offer([entry()]), { x402Version: 1, accepts: [v1Entry()] }),
  'a header that no one can pay, and version 1 in the body': () =>
    inHeader(offer([entry({ amount: '0' })]), { x402Version: 1, accepts: [v1Entry()] }),
  'an unreadable header, and version 1 in the body': () => inHeader('@@@', { x402Version: 1, accepts: [v1Entry()] }),
  'an empty header, and version 1 in the body': () => inHeader('', { x402Version: 1, accepts: [v1Entry()] }),
  'version 3': () => inHeader(offer([entry()], { x402Version: 3 })),
  'version 3 in the body': () => inBody(offer([entry()], { x402Version: 3 })),
  'version 0': () => inHeader(offer([entry()], { x402Version: 0 })),
  'no version': () => inHeader(offer([entry()], { x402Version: undefined })),
  'the version as text': () => inHeader(offer([entry()], { x402Version: '2' })),
  'an entry of version 1 under version 2': () => v2(v1Entry()),
  'an entry of version 2 under version 1': () => v1(entry()),
  'base64 without padding': () => inHeader(sound().replace(/=+$/, '')),
  base64url: () => inHeader(`${sound().replace(/=+$/, '')}-_`),
  'JSON that is not encoded': () => inHeader(JSON.stringify(offer([entry()]))),
  'a header that is no JSON': () => inHeader(Buffer.from('nothing').toString('base64')),
  'a header that is a list': () => inHeader([offer([entry()])]),
  'two headers': () => ({ headers: { 'payment-required': [sound(), sound()] } }),
  'a head beyond what clients read': () => inHeader(offer([entry()], { error: 'x'.repeat(13_000) })),
  'version 1 in the body, behind a head beyond what clients read': () => ({
    ...v1(v1Entry()),
    headers: { 'x-more': 'x'.repeat(17_000) },
  }),
  'a long head that clients read': () => inHeader(offer([entry()], { error: 'x'.repeat(11_000) })),
  'no accepts': () => inHeader(offer(undefined)),
  'no entries': () => v2(),
  'accepts that are no list': () => inHeader(offer({})),
  'an entry that is null': () => v2(null, entry()),
  'an entry that is text': () => v2('exact', entry()),
  'an entry without a network': () => v2(entry({ network: undefined }), entry()),
  'an amount of 0': () => v2(entry({ amount: '0' })),
  'an amount of 00': () => v2(entry({ amount: '00' })),
  'a negative amount': () => v2(entry({ amount: '-1' })),
  'a fraction': () => v2(entry({ amount: '0.01' })),
  'a price in dollars': () => v2(entry({ amount: '$0.01' })),
  'an amount in hex': () => v2(entry({ amount: '0x2710' })),
  'an amount that is a number': () => v2(entry({ amount: 10_000 })),
  'an empty amount': () => v2(entry({ amount: '' })),
  'no amount': () => v2(entry({ amount: undefined })),
  'an amount beyond 256 bits': () => v2(entry({ amount: (2n ** 256n).toString() })),
  'a large amount': () => v2(entry({ amount: '1000000000000' })),
  'no extra': () => v2(entry({ extra: undefined })),
  'an extra that is null': () => v2(entry({ extra: null })),
  'no name of the domain': () => v2(extra({ name: undefined })),
  'an empty version of the domain': () => v2(extra({ version: '' })),
  'another name of the domain': () => v2(extra({ name: 'USDC' })),
  'more in extra': () => v2(extra({ hint: 'x' })),
  'a time-out of 0': () => v2(entry({ maxTimeoutSeconds: 0 })),
  'a negative time-out': () => v2(entry({ maxTimeoutSeconds: -60 })),
  'a time-out of a second': () => v2(entry({ maxTimeoutSeconds: 1 })),
  'a time-out with a fraction': () => v2(entry({ maxTimeoutSeconds: 60.5 })),
  'a time-out as text': () => v2(entry({ maxTimeoutSeconds: '60' })),
  'no time-out': () => v2(entry({ maxTimeoutSeconds: undefined })),
  'a time-out beyond all numbers': () => v2(entry({ maxTimeoutSeconds: 1e21 })),
  'a payee that is no address': () => v2(entry({ payTo: 'me' })),
  'a payee one digit short': () => v2(entry({ payTo: THIRD_PARTY.slice(0, -1) })),
  'a payee in lower case': () => v2(entry({ payTo: THIRD_PARTY.toLowerCase() })),
  'the zero address as payee': () => v2(entry({ payTo: ZERO_ADDRESS })),
  'a token that we do not know': () => v2(entry({ asset: THIRD_PARTY })),
  'a token that is no address': () => v2(entry({ asset: 'USDC' })),
  'the token in lower case': () => v2(entry({ asset: BASE_TOKEN.asset.toLowerCase() })),
  'a network by its name': () => v2(entry({ network: 'base' })),
  'a network that we do not serve': () => v2(entry({ network: 'eip155:137' })),
  'another scheme': () => v2(entry({ scheme: 'upto' })),
  permit2: () => v2(extra({ assetTransferMethod: 'permit2' })),
  'eip3009 by name': () => v2(extra({ assetTransferMethod: 'eip3009' })),
  'an unknown transfer method': () => v2(extra({ assetTransferMethod: 'pigeon' })),
  'payment up front': () => v2(extra({ paymentFlow: 'upfront' })),
  'an unknown flow': () => v2(extra({ paymentFlow: 'later' })),
  'the ledger of Circle Gateway': () => v2(onArc({ extra: GATEWAY })),
  Arc: () => v2(onArc()),
  'others that are passed over, then a sound one': () =>
    v2(entry({ network: 'eip155:137' }), entry({ scheme: 'upto' }), entry({ asset: THIRD_PARTY }), entry()),
  'one that is chosen and cannot be paid, then a sound one': () => v2(entry({ amount: '0.01' }), entry()),
  'Circle Gateway, then a sound one': () => v2(onArc({ extra: GATEWAY }), entry()),
  'a sound one, then one that cannot be paid': () => v2(entry(), entry({ amount: '0' })),
  'another flow, then a sound one that goes before it': () =>
    v2(extra({ paymentFlow: 'upfront', name: 'USDC' }), entry()),
  'version 1: nulls of a seller in another language': () =>
    v1(v1Entry({ description: null, mimeType: null, outputSchema: null, resource: null })),
  'version 1: an amount of 0': () => v1(v1Entry({ maxAmountRequired: '0' })),
  'version 1: no amount': () => v1(v1Entry({ maxAmountRequired: undefined })),
  'version 1: no extra': () => v1(v1Entry({ extra: undefined })),
  'version 1: a network without a name': () => v1(v1Entry({ network: 'arc' })),
  'version 1: a negative time-out': () => v1(v1Entry({ maxTimeoutSeconds: -1 })),
  'version 1: a payee that is no address': () => v1(v1Entry({ payTo: '0x1' })),
  'version 1: one that is chosen and cannot be paid, then a sound one': () => v1(v1Entry({ extra: null }), v1Entry()),
}

describe('payable is what the stock @x402/fetch 2.27 pays, in both versions', () => {
  test.each(Object.keys(TABLE))('%s', async (name) => {
    const row = TABLE[name]?.() ?? {}
    expect(await weSayPayable(row)).toBe(await stockPays(row))
  })

  test('the table has cases of both verdicts', async () => {
    const verdicts: boolean[] = []
    for (const row of Object.values(TABLE)) verdicts.push(await weSayPayable(row()))
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(15)
    expect(verdicts.filter((payable) => !payable).length).toBeGreaterThan(40)
  })
})
