import { failpoints } from '@callboard/runtime'

/**
 * Where a process may die in a settlement. A hit counts the payments that reach the point together.
 *
 * `claimed` the key is taken · `verified` the token would accept it, which is not stored · `chosen` it has its place in
 * a signed transaction that is not stored · `stored` the transaction is stored · `sent` a node has it, and the row does
 * not say so · `broadcast` the row says so, as no block came at once · `preconfirmed` the block being built holds it,
 * which is stored, and its caller was not answered · `seen` it is in a block · `settled` the success is stored and its
 * caller was not answered · `concluded` the same for a failure · `displaced` its chain nonce was taken · `repriced` a
 * replacement with higher fees is stored and not sent · `vanished` its block is gone, and it is not sent again yet ·
 * `secured` its block is safe · `finalized` its outcome cannot go away.
 */
export const settlementFailpoints = failpoints('x402-facilitator', [
  'claimed',
  'verified',
  'chosen',
  'stored',
  'sent',
  'broadcast',
  'preconfirmed',
  'seen',
  'settled',
  'concluded',
  'displaced',
  'repriced',
  'vanished',
  'secured',
  'finalized',
])

export type SettlementFailpoint = (typeof settlementFailpoints.names)[number]
