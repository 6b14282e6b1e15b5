import { privateKeyToAccount } from 'viem/accounts'
import { Ledger } from '../src/spending/ledger.ts'
import { pay } from '../src/spending/pay.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

/** A separate process that pays with `AGENT_KEY`: `payer.ts FILE URL`. */
const [file = '', url = ''] = process.argv.slice(2)
const account = privateKeyToAccount(process.env.AGENT_KEY as `0x${string}`)
await pay({ account, policy: SpendingPolicy.parse({}), ledger: new Ledger(file) }, url)
