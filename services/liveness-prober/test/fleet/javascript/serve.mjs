// Starts the sellers that its arguments name, each on its own port, and prints their origins as one line of JSON.
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'

const { FACILITATOR: facilitator, NETWORK: network, ELSEWHERE: elsewhere, PAY_TO: payTo, PRICE } = process.env

const listening = (server) =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const terms = {
  facilitator,
  network,
  elsewhere,
  /** In dollars, as in the documentation; in token units for packages that do not know the network's token. */
  price: PRICE ? JSON.parse(PRICE) : '$0.01',
  payTo,
  /** Takes a Node server, or its request handler. */
  listen: (handler) => listening(typeof handler === 'function' ? createServer(handler) : handler),
  /** Takes a function from a Request to a Response. */
  listenFetch: (fetch) => listening(createServer(getRequestListener(fetch))),
}

const origins = await Promise.all(
  process.argv.slice(2).map(async (name) => {
    const { default: start } = await import(`./${name}.mjs`)
    const server = await start(terms)
    return [name, `http://127.0.0.1:${server.address().port}`]
  }),
)
process.stdout.write(`${JSON.stringify(Object.fromEntries(origins))}\n`)
