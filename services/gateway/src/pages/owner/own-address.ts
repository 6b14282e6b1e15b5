import type { FastifyInstance } from 'fastify'

/** What a machine calls itself. */
const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Where a browser belongs that opened an instance of its own machine under another of the machine's names. Messages that
 * wallets sign, and forms, are bound to the public origin, so that every button would be refused where it is now. No proxy
 * stands between a machine and itself: elsewhere `Host` may be another than the address that the browser shows.
 * @param path with its query
 * @returns undefined where it is at the public origin, or where it is not known to be at another one
 */
export function ownAddress(path: string, host: string | undefined, publicOrigin: string): string | undefined {
  const ours = new URL(publicOrigin)
  const theirs = URL.parse(`${ours.protocol}//${host}`)
  const isThisMachine = THIS_MACHINE.includes(ours.hostname) && theirs && THIS_MACHINE.includes(theirs.hostname)
  if (!isThisMachine || theirs.port !== ours.port || theirs.hostname === ours.hostname) return undefined
  return publicOrigin + path
}

/** Leads browsers to the public origin before they are shown a page that can do nothing where they are. */
export function leadToOwnAddress(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const address = method === 'GET' ? ownAddress(url, headers.host, scope.publicOrigin) : undefined
    if (address !== undefined) return reply.header('cache-control', 'no-store').redirect(address, 302)
  })
}
