// Starts the sellers that its arguments name, each on a port of its own, and prints their origins as one line of JSON.
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
  /** In dollars, as documentation has it; in units of a token where the packages do not know the network's. */
  price: PRICE ? JSON.parse(PRICE) : '$0.01',
  payTo,
  /** A server of Node, or what Node calls for each request. */
  listen: (handler) => listening(typeof handler === 'function' ? createServer(handler) : handler),
  /** What turns a Request into a Response. */
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
