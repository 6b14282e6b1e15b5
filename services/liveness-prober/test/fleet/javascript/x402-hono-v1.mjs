// A seller of version 1: Hono behind x402-hono, on the test network as in its documentation.
import { Hono } from 'hono'
import { paymentMiddleware } from 'x402-hono'

export default async ({ facilitator, payTo, listenFetch }) => {
  const app = new Hono()
  app.use(paymentMiddleware(payTo, { 'GET /tides': { price: '$0.01', network: 'base-sepolia' } }, { url: facilitator }))
  app.get('/tides', (c) => c.json({ high: '04:12' }))
  return listenFetch(app.fetch)
}
