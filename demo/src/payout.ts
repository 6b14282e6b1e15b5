import { receiptOf } from '@callboard/evm'
import type { Address } from '@callboard/values'
import { usdOfUsdc } from '@callboard/values'
import { parseAbi } from 'viem'
import { accountOf, type Devnet, PEOPLE, reader, writer } from './devnet.ts'
import { tell } from './narration.ts'

const token = parseAbi(['function balanceOf(address) view returns (uint256)'])
const splitterAbi = parseAbi(['function distribute()'])

const usd = (units: bigint) => `${usdOfUsdc(units)} USDC`

/** Has a passer-by, who gains nothing by it, trigger the splitter's payout; both sides’ balances show their shares. */
export async function payOut(devnet: Devnet, splitter: Address, provider: Address): Promise<void> {
  const chain = reader(devnet)
  const balance = (of: Address) =>
    chain.readContract({ abi: token, address: devnet.usdc.address, functionName: 'balanceOf', args: [of] })
  const balances = () => Promise.all([splitter, provider, devnet.treasury].map(balance))
  const [held = 0n, providerBefore = 0n, treasuryBefore = 0n] = await balances()
  const passerBy = accountOf(devnet, PEOPLE.passerBy)
  const hash = await writer(devnet, passerBy).writeContract({
    abi: splitterAbi,
    address: splitter,
    functionName: 'distribute',
  })
  await receiptOf(chain, hash)
  const [left = 0n, providerAfter = 0n, treasuryAfter = 0n] = await balances()
  tell(
    'Anyone can make the splitter pay out, and a passer-by does',
    `${usd(held)}: ${usd(providerAfter - providerBefore)} to the provider (95 %), ${usd(treasuryAfter - treasuryBefore)} to the network (5 %), ${usd(left)} left`,
  )
}
