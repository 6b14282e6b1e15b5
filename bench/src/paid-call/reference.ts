import type { Hex } from '@callboard/values'
import express from 'express'
import { referenceFacilitator } from '../settle/reference-facilitator.ts'
import { listening } from './seller.ts'

/** The reference facilitator behind the routes of its specification, in a process of its own. Reports its URL. */
const facilitator = referenceFacilitator({
  rpcUrl: process.env.RPC_URL ?? '',
  chainId: Number(process.env.CHAIN_ID),
  key: process.env.KEY as Hex,
})
const app = express()
app.use(express.json())
app.get('/supported', (_req, res) => void res.json(facilitator.getSupported()))
app.post('/verify', async (req, res) => {
  res.json(await facilitator.verify(req.body.paymentPayload, req.body.paymentRequirements))
})
app.post('/settle', async (req, res) => {
  res.json(await facilitator.settle(req.body.paymentPayload, req.body.paymentRequirements))
})
const url = await listening(app.listen(0, '127.0.0.1'))
process.on('disconnect', () => process.exit(0))
process.send?.(url)
