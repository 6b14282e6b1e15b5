import type { LocalAccount } from 'viem'
import type { Ledger } from './ledger.ts'
import type { KnownAsset } from './offer-seen.ts'
import type { SpendingPolicy } from './policy.ts'

/** What an agent pays with, and within which limits. */
export interface SpendingWallet {
  readonly account: LocalAccount
  readonly policy: SpendingPolicy
  readonly ledger: Ledger
  readonly assets?: readonly KnownAsset[]
}
