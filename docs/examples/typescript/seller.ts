import { HTTPFacilitatorClient } from '@x402/core/server'
import { SettleError } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { devnet } from './devnet.ts'

const { PAY_TO, PORT = '8601' } = process.env
if (!PAY_TO) throw new Error('PAY_TO is the address of your splitter: provider.ts splitter')

const facilitator = new HTTPFacilitatorClient({ url: devnet.facilitatorUrl })
const server = new x402ResourceServer(facilitator).register(devnet.network, new ExactEvmScheme())

/** Payments that are being sold for, or were: each buys once. Where you run several processes, a table with a unique key. */
const taken = new Set<string>()
/** Those whose settlement was asked for and has no outcome yet: once it is settled, `verify` would call it used. */
const underWay = new Set<string>()
const keyOf = ({ payload }: { payload: { authorization?: { from?: string; nonce?: string } } }) =>
  `${payload.authorization?.from} ${payload.authorization?.nonce}`.toLowerCase()
// The facilitator answers every request for a payment alike, so that a lost answer can be asked for again.
server.onBeforeSettle(async ({ paymentPayload }) => {
  const key = keyOf(paymentPayload)
  if (taken.has(key)) return { abort: true, reason: 'this payment was used' }
  taken.add(key)
  underWay.add(key)
})
server.onBeforeVerify(async ({ paymentPayload }) => {
  if (underWay.has(keyOf(paymentPayload))) return { skip: true, result: { isValid: true } }
})
server.onAfterSettle(async ({ paymentPayload }) => void underWay.delete(keyOf(paymentPayload)))
server.onSettleFailure(async ({ paymentPayload, error }) => {
  const key = keyOf(paymentPayload)
  taken.delete(key)
  // Any other error is a lost answer: it may be paid.
  if (error instanceof SettleError && error.errorReason !== 'settlement_pending') underWay.delete(key)
})

const price = {
  amount: '20000', // base units of USDC: 0.02
  asset: devnet.usdc.address,
  extra: { name: devnet.usdc.name, version: devnet.usdc.version },
}
const accepts = { scheme: 'exact', network: devnet.network, payTo: PAY_TO, price }

const app = express()
app.use(paymentMiddleware({ 'GET /tides': { accepts, description: 'The tides of a port' } }, server))
app.get('/tides', (req, res) => {
  res.json({ port: req.query.port ?? 'Dover', high: ['04:12', '16:40'], low: ['10:25', '22:51'] })
})
app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/tides is sold`))
