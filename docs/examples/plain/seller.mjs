import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PAY_TO, PORT = '8601', CALLBOARD_DEVNET } = process.env
if (!PAY_TO) throw new Error('PAY_TO is the address of your splitter: provider.ts splitter')
const file = CALLBOARD_DEVNET ?? new URL('../../../.callboard/devnet.json', import.meta.url)
const { facilitatorUrl, network, usdc } = JSON.parse(readFileSync(file, 'utf8'))

/** The one way to pay. It is what the facilitator is asked about, whatever a buyer says that it accepted. */
const TERMS = {
  scheme: 'exact',
  network,
  asset: usdc.address,
  amount: '20000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: usdc.name, version: usdc.version, assetTransferMethod: 'eip3009' },
}
/** Payments that were sold for or are being sold for: each buys once. Where you run several processes, a table with a unique key. */
const taken = new Set()
/** Those whose settlement was asked for and has no outcome yet: once it is settled, `verify` would call it used. */
const underWay = new Set()

const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64')

function offer(res, error) {
  const resource = {
    url: `http://127.0.0.1:${PORT}/tides`,
    description: 'The tides of a port',
    mimeType: 'application/json',
  }
  const required = { x402Version: 2, error, resource, accepts: [TERMS] }
  send(res, 402, required, { 'PAYMENT-REQUIRED': base64(required) })
}

function send(res, status, body, headers = {}) {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  res.end(JSON.stringify(body))
}

const notYet = (res) =>
  send(res, 503, { error: 'the payment is not known yet: present the same one again' }, { 'retry-after': '2' })

/** @throws Error where the facilitator does not say yes or no: nothing is known then */
async function ask(verb, payment) {
  const answer = await fetch(`${facilitatorUrl}/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: 2, paymentPayload: payment, paymentRequirements: TERMS }),
    signal: AbortSignal.timeout(90_000),
  })
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${verb} answered ${answer.status}`)
  return answer.json()
}

async function sell(res, payment, key) {
  if (!underWay.has(key)) {
    const verdict = await ask('verify', payment)
    if (!verdict.isValid) return offer(res, verdict.invalidReason ?? verdict.message)
  }
  const goods = { port: 'Dover', high: ['04:12', '16:40'], low: ['10:25', '22:51'] }
  underWay.add(key)
  const settled = await ask('settle', payment)
  if (settled.errorReason === 'settlement_pending') return notYet(res)
  underWay.delete(key)
  if (!settled.success) return offer(res, settled.errorReason ?? settled.message)
  send(res, 200, goods, { 'PAYMENT-RESPONSE': base64(settled) })
}

async function answer(req, res) {
  if (req.url?.split('?')[0] !== '/tides') return send(res, 404, { error: 'not_found' })
  const header = req.headers['payment-signature']
  if (header === undefined) return offer(res, 'payment required')
  let payment
  let key
  try {
    payment = JSON.parse(Buffer.from(header, 'base64').toString())
    const { from, nonce } = payment.payload.authorization
    key = `${from} ${nonce}`.toLowerCase()
  } catch {
    return send(res, 400, { error: 'PAYMENT-SIGNATURE is no payment' })
  }
  if (taken.has(key)) return offer(res, 'this payment was used')
  taken.add(key)
  let isSold = false
  try {
    await sell(res, payment, key)
    isSold = res.statusCode === 200
  } catch {
    notYet(res)
  } finally {
    if (!isSold) taken.delete(key)
  }
}

createServer(answer).listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/tides is sold`))
