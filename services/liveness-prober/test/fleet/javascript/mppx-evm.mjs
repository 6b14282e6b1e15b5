// A seller that speaks both protocols: Express with mppx, whose `evm` method offers x402 next to its own challenge.
import express from 'express'
import { Mppx } from 'mppx/express'
import { evm } from 'mppx/server'

export default async ({ facilitator, payTo, listen }) => {
  const mppx = Mppx.create({
    methods: [evm({ currency: evm.assets.base.USDC, recipient: payTo, x402: { facilitator } })],
    secretKey: 'x'.repeat(32),
    realm: 'tides.example',
  })
  const app = express()
  app.get('/tides', mppx.charge({ amount: '0.01', description: 'The tides of a port' }), (_req, res) => {
    res.json({ high: '04:12' })
  })
  return listen(app)
}
