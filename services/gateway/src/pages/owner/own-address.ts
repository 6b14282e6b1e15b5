import type { FastifyInstance } from 'fastify'

/** The names of the local machine. */
const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The right address for a browser that opened an instance on its own machine under another name of the machine.
 * Messages that wallets sign, and forms, are bound to the public origin, so every button would be refused there. Only
 * loopback is handled, where no proxy is in between: elsewhere `Host` may differ from the address that the browser
 * shows.
 * @param path with its query
 * @returns undefined if it is at the public origin, or not known to be elsewhere
 */
export function ownAddress(path: string, host: string | undefined, publicOrigin: string): string | undefined {
  const ours = new URL(publicOrigin)
  const theirs = URL.parse(`${ours.protocol}//${host}`)
  const isThisMachine = THIS_MACHINE.includes(ours.hostname) && theirs && THIS_MACHINE.includes(theirs.hostname)
  if (!isThisMachine || theirs.port !== ours.port || theirs.hostname === ours.hostname) return undefined
  return publicOrigin + path
}

/** Redirects browsers to the public origin before they see a page that would not work where they are. */
export function leadToOwnAddress(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const address = method === 'GET' ? ownAddress(url, headers.host, scope.publicOrigin) : undefined
    if (address !== undefined) return reply.header('cache-control', 'no-store').redirect(address, 302)
  })
}
