import { type Ed25519Key, ed25519Key } from '@callboard/sealing'

/** The keys of this prober: the first signs requests, all of them are published. */
export type SigningKeys = readonly Ed25519Key[]

/** @param seeds private keys, 64 hexadecimal digits each; if none, nothing is signed */
export const signingKeys = (seeds: readonly string[]): SigningKeys =>
  seeds.map((seed) => ed25519Key(Buffer.from(seed, 'hex')))
