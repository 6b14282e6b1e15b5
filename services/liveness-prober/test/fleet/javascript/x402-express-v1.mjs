// A seller of version 1: Express behind x402-express, with the query that it accepts.
import express from 'express'
import { paymentMiddleware } from 'x402-express'

export default async ({ facilitator, payTo, listen }) => {
  const config = {
    description: 'The tides of a port',
    mimeType: 'application/json',
    discoverable: true,
    inputSchema: { queryParams: { port: { type: 'string', required: true } } },
    outputSchema: { type: 'object', properties: { high: { type: 'string' } } },
  }
  const app = express()
  app.use(paymentMiddleware(payTo, { 'GET /tides': { price: '$0.01', network: 'base', config } }, { url: facilitator }))
  app.get('/tides', (_req, res) => res.json({ high: '04:12' }))
  return listen(app)
}
