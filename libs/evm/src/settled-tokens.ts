import type { Caip2 } from '@callboard/values'
import { type SettledToken, V1_NETWORKS, type V1Networks } from '@callboard/x402'
import type { Chain } from './chains.ts'

/** The USDC of each served chain, as a token that payments are settled in. */
export const settledTokens = (chains: readonly Chain[]): readonly SettledToken[] =>
  chains.map(({ network, usdc: { address, name, version } }) => ({ network, asset: address, name, version }))

/** x402 version 1's network names, extended by those of the served chains. */
export const v1NetworksOf = (chains: readonly Chain[]): V1Networks =>
  new Map<string, Caip2>([
    ...V1_NETWORKS,
    ...chains.flatMap(({ v1Name, network }) => (v1Name === undefined ? [] : [[v1Name, network] as const])),
  ])
