import { catalog } from '@callboard/contract'
import type { HDAccount } from 'viem/accounts'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { accountOf } from './chain.ts'
import { Client } from './client.ts'
import { perTarget } from './per-target.ts'

/** A mirrored listing whose payee is an account of the devnet's mnemonic, so that a run can sign as its payee. */
export interface MirroredListing {
  readonly slug: string
  readonly origin: string
  readonly payee: HDAccount
}

/** The number of a devnet's accounts meant for people. */
const ACCOUNTS = 10

/** A mirrored listing of the target that pays an account of the devnet; undefined if there is none. Once per run. */
export const mirroredOf = perTarget(async ({ baseUrl, devnet }: Target): Promise<MirroredListing | undefined> => {
  const client = new Client(baseUrl)
  for (let index = 0; devnet && index < ACCOUNTS; index++) {
    const payee = accountOf(devnet, index)
    const asked = `/api/call/discovery?payTo=${payee.address}&includeUnverified=true&limit=50`
    const { items } = accepted(catalog.discovery, await client.get(asked))
    const item = items.find(({ group }) => group === 'external')
    if (item) return { slug: item.ref, origin: new URL(item.execution.url).origin, payee }
  }
  return undefined
})
