import { join } from 'node:path'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { Api } from '../src/api.ts'
import { Ledger } from '../src/spending/ledger.ts'
import { SpendingPolicy } from '../src/spending/policy.ts'
import { transfer } from '../src/spending/transfer.ts'
import { OFFER, startSeller } from './seller.ts'

test('a dollar of 18 decimals is not transferred as USDC: 2.50 USD would be next to nothing', async () => {
  const service = await startSeller()
  onTestFinished(() => service.close())
  const [entry] = OFFER.accepts
  const mega = { network: 'eip155:4326', asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7' }
  service.accepts = [{ ...entry, ...mega, extra: { name: 'MegaUSD', version: '1' } }]
  const wallet = {
    account: privateKeyToAccount(generatePrivateKey()),
    policy: SpendingPolicy.parse({}),
    ledger: new Ledger(join(temporaryFolder('callboard-transfers-'), 'ledger.jsonl')),
  }
  const asked = { payTo: `0x${'2'.repeat(40)}`, toOwner: true, amount: 2_500_000n }
  await expect(transfer(wallet, new Api({ baseUrl: service.url }), asked)).rejects.toMatchObject({ name: 'NoToken' })
  expect(wallet.ledger.read()).toEqual([])
})
