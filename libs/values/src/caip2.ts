/**
 * A CAIP-2 chain id: `namespace:reference`, for EVM `eip155:<chain id>`.
 * @source CAIP-2
 */
export type Caip2 = `${string}:${string}`

/** The form of a chain id. */
export const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const EVM = /^eip155:(0|[1-9][0-9]{0,15})$/

export const looksLikeCaip2 = (text: string): text is Caip2 => CAIP2.test(text)

/** `eip155:<chainId>` for a positive chain id. */
export const evmNetwork = (chainId: number): Caip2 => `eip155:${chainId}`

/** The chain id of an `eip155` network; undefined for other namespaces and for leading zeros. */
export function chainIdOf(network: string): number | undefined {
  const match = EVM.exec(network)
  return match ? Number(match[1]) : undefined
}
