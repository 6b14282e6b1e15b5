import { randomUUID } from 'node:crypto'
import { fund, type LocalAccount, newAccount } from '@callboard/conformance/chain'
import { newOwner } from '@callboard/conformance/owner'
import { newSecret } from '../../../services/router/src/keys/credential.ts'
import { setLimit, subjectOf } from '../../../services/router/src/store/budget.repository.ts'
import { ensureWallet, insertKey } from '../../../services/router/src/store/key.repository.ts'
import { credit } from '../../../services/router/src/store/ledger.repository.ts'
import { newWallet } from '../../../services/router/src/wallets/wallet-key.ts'
import type { Random } from '../random.ts'
import { type Buyer, type Payments, toPay } from './payments.ts'
import { WalletLogin } from './wallets.ts'
import type { MoneyWorld } from './world.ts'

/** A caller: a key, or a wallet without one. */
export interface WalkKey {
  readonly id: string
  readonly owner: `0x${string}`
  /** The headers that identify the caller. @throws Error while a wallet cannot sign in */
  readonly headers: () => Promise<Record<string, string>>
  /** Whether headers that were refused with 401 may be replaced with others, which the next `headers()` returns. */
  readonly renew: (refused: Readonly<Record<string, string>>) => Promise<boolean>
}

const bearing = (secret: string): Pick<WalkKey, 'headers' | 'renew'> => ({
  headers: async () => ({ authorization: `Bearer ${secret}` }),
  renew: async () => false,
})

export interface Accounts {
  readonly keys: readonly WalkKey[]
  readonly buyers: readonly Buyer[]
}

/** How many accounts there are of each kind. */
export interface Many {
  /** Owners who sign in and buy through x402. */
  readonly buyers: number
  /** Owners with a balance of half a cent to twelve; some of them run out of it. */
  readonly credited: number
  /** Owners who call with the keys of two links, from their Compute. */
  readonly linked: number
  /** Owners who also have a balance and call without a key, signed in with their wallet. */
  readonly wallets: number
}

const LEAST_CREDIT = 5_000_000n
const LINK_LIMIT = 120_000_000n

export async function openAccounts(
  world: MoneyWorld,
  { random, many, payments }: { readonly random: Random; readonly many: Many; readonly payments: Payments },
): Promise<Accounts> {
  const keys: WalkKey[] = []
  const buyers: Buyer[] = []
  for (let n = 0; n < many.buyers; n += 1) {
    const { buyer, key } = await bought(world, payments)
    buyers.push(buyer)
    keys.push(key)
  }
  for (let n = 0; n < many.credited; n += 1) {
    const first = await creditedKey(world, LEAST_CREDIT * BigInt(1 + random.below(25)))
    keys.push(first, await madeKey(world, first.owner, null))
  }
  for (let n = 0; n < many.wallets; n += 1)
    keys.push(await callingWallet(world, LEAST_CREDIT * BigInt(1 + random.below(25))))
  for (let n = 0; n < many.linked; n += 1) {
    const owner = address()
    for (let link = 0; link < 2; link += 1) keys.push(await madeKey(world, owner, randomUUID()))
  }
  return { keys, buyers }
}

const address = (): `0x${string}` => newAccount().address

async function bought({ cluster, devnet }: MoneyWorld, payments: Payments) {
  const { account, session } = await newOwner({ baseUrl: cluster.baseUrl, devnet })
  const buyer = { owner: account.address, session }
  if ((await payments.topUp(buyer)) !== 'settled') throw new Error('The first top-up of an owner was not taken')
  const made = await session.post('/api/router/keys', { label: 'walk', source: 'balance' })
  if (made.status !== 201) throw new Error(`The key answered ${made.status}: ${made.text}`)
  const { id, key } = made.json() as { id: string; key: string }
  return { buyer, key: { id, owner: account.address, ...bearing(key) } }
}

/** Creates a key of a new owner who has bought the given amount; nano-USD. */
export async function creditedKey(world: MoneyWorld, amount: bigint): Promise<WalkKey> {
  const owner = address()
  await credited(world, owner, amount)
  return madeKey(world, owner, null)
}

/** Credits an amount, as an earlier settled payment would have. */
const credited = ({ books }: MoneyWorld, owner: WalkKey['owner'], amount: bigint): Promise<boolean> =>
  books.db.transaction().execute((tx) => {
    const of = { paymentKey: `before the walk ${owner}`, network: 'eip155:8453', asset: '0xUSDC' } as const
    return credit(tx as never, { ...of, owner, amount, now: new Date() })
  })

/** A key for a balance, or for an agent's link, whose calls draw on its owner's Compute. */
async function madeKey({ books }: MoneyWorld, owner: WalkKey['owner'], linkId: string | null): Promise<WalkKey> {
  const { secret, hash, prefix } = newSecret()
  const id = randomUUID()
  const source = linkId === null ? 'balance' : 'compute'
  await books.db.transaction().execute(async (tx) => {
    await insertKey(tx as never, { id, hash, prefix, owner, linkId, source, label: 'walk', createdAt: new Date() })
    if (linkId !== null) await setLimit(tx as never, subjectOf('link', linkId), LINK_LIMIT)
  })
  return { id, owner, ...bearing(secret) }
}

/** A wallet that has bought the given amount, and is known from its first call. */
async function callingWallet(world: MoneyWorld, amount: bigint): Promise<WalkKey> {
  const account = newAccount()
  await credited(world, account.address, amount)
  const wallet = newWallet(account.address, Date.now())
  await world.books.db.transaction().execute((tx) => ensureWallet(tx as never, wallet))
  const login = new WalletLogin(world.cluster.baseUrl, account)
  return {
    ...{ id: wallet.id, owner: account.address },
    headers: () => login.headers(),
    renew: (refused) => login.renew(refused),
  }
}

/** Wallets with test USDC for the payments of the walk. */
export async function fundedPayers({ devnet }: MoneyWorld, count: number): Promise<LocalAccount[]> {
  const payers = Array.from({ length: count }, newAccount)
  for (const payer of payers) await fund(devnet, payer.address, { usdc: toPay })
  return payers
}
