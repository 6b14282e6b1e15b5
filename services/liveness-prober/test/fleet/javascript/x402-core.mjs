// A seller on Node's own http, with the framework-free server of @x402/core.
import { createServer } from 'node:http'
import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'

export default async ({ facilitator, network, price, payTo, listen }) => {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator }))
  server.register(network, new ExactEvmScheme())
  const accepts = { scheme: 'exact', network, payTo, price }
  const paid = new x402HTTPResourceServer(server, { 'GET /tides': { accepts, description: 'The tides of a port' } })
  await paid.initialize()
  return listen(
    createServer(async (req, res) => {
      const adapter = {
        getHeader: (name) => req.headers[name.toLowerCase()],
        getMethod: () => req.method,
        getPath: () => new URL(req.url, 'http://localhost').pathname,
        getUrl: () => `http://${req.headers.host}${req.url}`,
        getAcceptHeader: () => req.headers.accept ?? '',
        getUserAgent: () => req.headers['user-agent'] ?? '',
      }
      const asked = { adapter, path: adapter.getPath(), method: req.method }
      const outcome = await paid.processHTTPRequest(asked)
      if (outcome.type !== 'payment-error') return res.end('{}')
      const { status, headers, body } = outcome.response
      res.writeHead(status, headers).end(JSON.stringify(body ?? {}))
    }),
  )
}
