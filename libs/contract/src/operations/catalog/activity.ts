import { z } from 'zod'
import { operation } from '../../operation.ts'
import { invalidRequest } from '../../refusals.ts'
import { ActivityPage, AddressActivity, Stats, WalletUsage } from '../../schemas/activity.ts'
import { BurnPage } from '../../schemas/burn.ts'
import { WalletIdentity } from '../../schemas/identity.ts'
import { Address, Cursor, queryInt, Range } from '../../schemas/words.ts'

export const stats = operation({
  id: 'catalog.stats',
  summary: 'Settlements observed on chain, summed over a range',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/stats',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=30',
    stability: 'beta',
  },
  input: z.strictObject({ range: Range.default('30d') }),
  output: Stats,
  errors: [],
})

export const activity = operation({
  id: 'catalog.activity',
  summary: 'Settlements observed on chain, newest first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/activity', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({
    range: Range.default('30d'),
    cursor: Cursor,
    limit: queryInt(1, 100).default(50),
    listing: z.string().min(1).max(128).optional(),
    address: Address.optional(),
  }),
  output: ActivityPage,
  errors: [invalidRequest],
})

export const addressActivity = operation({
  id: 'catalog.addressActivity',
  summary: 'The payments that an address made and received',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/activity/:address', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({ address: Address, range: Range.default('30d'), cursor: Cursor }),
  output: AddressActivity,
  errors: [invalidRequest],
})

export const burns = operation({
  id: 'catalog.burns',
  summary: 'Tokens bought back and burned, newest first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/router/burns', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({ cursor: Cursor, limit: queryInt(1, 100).default(50) }),
  output: BurnPage,
  errors: [invalidRequest],
})

export const walletUsage = operation({
  id: 'catalog.walletUsage',
  summary: 'The calls and spending of a wallet',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/wallet/usage',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
    stability: 'beta',
  },
  input: z.strictObject({ wallet: Address }),
  output: WalletUsage,
  errors: [],
})

/** A wallet without an agent gets empty lists, as one that never paid gets zeros. */
export const identity = operation({
  id: 'catalog.identity',
  summary: 'The ERC-8004 agents of a wallet, and the feedback about them',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/identity/:wallet',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
    stability: 'beta',
  },
  input: z.strictObject({ wallet: Address, cursor: Cursor, limit: queryInt(1, 20).default(10) }),
  output: WalletIdentity,
  errors: [invalidRequest],
})
