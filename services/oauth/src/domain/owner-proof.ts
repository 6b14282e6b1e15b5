/** How an account was proved before; `unknown` if an earlier release opened it. */
export type Known =
  | { readonly by: 'key' }
  | { readonly by: 'contract'; readonly chainId: number }
  | { readonly by: 'unknown' }

/** How a sign-in message was proved. */
export interface Proof {
  readonly by: 'key' | 'contract'
  readonly chainId: number
}

/** The ruling on a proof: how the account is known from now on, or why this is not a sign-in. */
export type Ruling = { readonly known: Exclude<Known, { by: 'unknown' }> } | { readonly problem: string }

/**
 * Whether a proof signs in the owner of an address. A key is the same on every chain. A contract is not: at the address
 * of a wallet on one chain, anyone may deploy a different contract on another. So a contract owner is bound to the
 * chain of its first sign-in, and an address that is known by its key belongs to no contract.
 * @param known undefined if there is no account yet
 * @param chainsWithCode for an account whose proof is unknown: the served chains on which the address has code
 */
export function ruleOn(known: Known | undefined, proof: Proof, chainsWithCode: readonly number[]): Ruling {
  if (proof.by === 'key') return { known: { by: 'key' } }
  const ofThisChain = { known: { by: 'contract', chainId: proof.chainId } } as const
  if (!known) return ofThisChain
  if (known.by === 'key') return { problem: 'the account belongs to the key of this address, but a contract signed' }
  if (known.by === 'contract') {
    if (known.chainId === proof.chainId) return ofThisChain
    return { problem: `the account belongs to the contract on chain ${known.chainId}, but one on another chain signed` }
  }
  if (chainsWithCode.every((chainId) => chainId === proof.chainId)) return ofThisChain
  return {
    problem: 'the address has code on several chains, and it is not known which of those contracts owns the account',
  }
}
