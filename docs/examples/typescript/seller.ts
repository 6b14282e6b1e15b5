import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { devnet } from './devnet.ts'

const { PAY_TO, PORT = '8601' } = process.env
if (!PAY_TO) throw new Error('PAY_TO is the address of your splitter: provider.ts splitter')

const facilitator = new HTTPFacilitatorClient({ url: devnet.facilitatorUrl })
const server = new x402ResourceServer(facilitator).register(devnet.network, new ExactEvmScheme())
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
