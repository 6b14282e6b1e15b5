import { type Counted, httpServer } from '../servers.ts'

/** The networks on which the sellers ask to be paid: one that is supported here, and one that is not. */
export const NETWORK = 'eip155:8453'
export const ELSEWHERE = 'eip155:84532'

/** A facilitator before any payment: it lists what it supports, which is all that a seller asks of it until then. */
export const startFacilitator = (): Promise<Counted> =>
  httpServer((_req, res) => {
    const kinds = [
      { x402Version: 2, scheme: 'exact', network: NETWORK },
      { x402Version: 2, scheme: 'exact', network: ELSEWHERE },
      { x402Version: 1, scheme: 'exact', network: 'base' },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ]
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ kinds, extensions: [], signers: {} }))
  })
