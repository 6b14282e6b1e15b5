import { noChecks } from '@callboard/contract'
import { SPLITTER_FEE_BP } from '@callboard/evm'
import type { Listing } from './listing.ts'

/** A new listing that has no slug yet. */
export type Draft = Omit<Listing, 'slug'>

/** The owner's part of a listing, where it is paid, and what the probe of its operations found. */
type Published = Pick<
  Listing,
  | 'owner'
  | 'name'
  | 'description'
  | 'category'
  | 'network'
  | 'payoutWallet'
  | 'splitter'
  | 'operations'
  | 'conformances'
>

/** The initial state of a listing that an owner publishes: a draft, never live, checked or verified. */
export const newDraft = (published: Published, now: number): Draft => ({
  ...published,
  version: 1,
  status: 'draft',
  verification: 'none',
  group: 'added',
  provenance: 'self_listed',
  fee: { bps: SPLITTER_FEE_BP, label: `${SPLITTER_FEE_BP / 100}% network fee` },
  otherSplitters: [],
  suspendedReason: null,
  rejection: null,
  reviewed: null,
  liveness: noChecks,
  createdAt: now,
  listedAt: null,
  updatedAt: now,
  withdrawnAt: null,
})
