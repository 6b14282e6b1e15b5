import { type ChainClients, clientOf } from '@callboard/evm'
import type { Address } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { type Proof, type Ruling, ruleOn } from '../domain/owner-proof.ts'
import { accountOf, openAccount, proveAccount } from '../store/account.repository.ts'
import type { AccountTable, OauthTx } from '../store/tables.ts'

/**
 * The chains on which an address has code; only asked for an account whose proof is unknown.
 * @throws if a chain cannot be asked, so that an outage is not mistaken for an answer
 */
export async function chainsWithCode(
  { db, resources }: Pick<OauthContext, 'db' | 'resources'>,
  owner: Address,
  { by }: Proof,
): Promise<number[]> {
  const account = by === 'contract' ? await accountOf(db, owner) : undefined
  if (!account || account.proved_by !== null) return []
  const served = [...resources.chains.values()]
  const codes = await Promise.all(served.map((chain) => codeOf(resources.clients, chain.network, owner)))
  return served.flatMap(({ chainId }, index) => (codes[index] ? chainId : []))
}

const codeOf = (clients: ChainClients, network: Parameters<typeof clientOf>[1], address: Address) =>
  clientOf(clients, network).getCode({ address })

/** Opens the account of an owner who proved the address, or rules on an existing one. Locks its row. */
export async function admit(
  tx: OauthTx,
  owner: Address,
  { proof, codeOn, now }: { readonly proof: Proof; readonly codeOn: readonly number[]; readonly now: Date },
): Promise<Ruling> {
  const opened = await openAccount(tx, owner, now)
  const account = await accountOf(tx, owner, 'locked')
  const ruling = ruleOn(opened || !account ? undefined : knownOf(account), proof, codeOn)
  if ('known' in ruling) await proveAccount(tx, owner, ruling.known)
  return ruling
}

const knownOf = ({ proved_by, chain_id }: Pick<AccountTable, 'proved_by' | 'chain_id'>) => {
  if (proved_by === 'key') return { by: 'key' } as const
  return chain_id === null ? ({ by: 'unknown' } as const) : ({ by: 'contract', chainId: Number(chain_id) } as const)
}
