import { Ledger } from '../src/spending/ledger.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'

/** A separate process that promises payments: `spender.ts FILE COUNT` prints how many the policy allowed. */
const [file = '', count = '0'] = process.argv.slice(2)
const policy = SpendingPolicy.parse({ perCallUsd: '0.10', perHourUsd: '0.50' })
const ledger = new Ledger(file)
let promised = 0
for (let n = 0; n < Number(count); n += 1) {
  const asked = { network: 'eip155:8453', payTo: `0x${'1'.repeat(40)}`, amount: 100_000n }
  const made = await ledger.promise(policy, { ...asked, url: 'https://a.example/', validForMs: 60_000 })
  if ('id' in made) promised += 1
}
console.log(promised)
