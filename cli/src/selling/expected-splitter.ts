import type { ListingRecord } from '@callboard/contract'
import { deployTransaction, predictSplitter } from '@callboard/evm/splitter'
import { type Address, type Caip2, chainIdOf, type Hex } from '@callboard/values'
import { encodeFunctionData, getAddress, isAddress, parseAbi } from 'viem'
import { WrongSplitter } from '../exit-codes.ts'

/** A wallet's fee splitter on one chain, as it follows from its factory and the wallet. */
export interface ExpectedSplitter {
  readonly network: Caip2
  readonly chainId: number
  readonly factory: Address
  readonly address: Address
  readonly wallet: Address
}

/** What a wallet sends to a splitter, or to its factory: never any money. */
export interface SplitterCall {
  readonly to: Address
  readonly data: Hex
  readonly value: 0n
}

/**
 * The splitter that a service names, if its address follows from its factory and the wallet.
 * @throws WrongSplitter
 */
export function expectedSplitter(said: {
  readonly network: string
  readonly factory: string
  readonly address: string
  readonly wallet: string
}): ExpectedSplitter {
  const network = said.network as Caip2
  const chainId = chainIdOf(network)
  const [factory, address, wallet] = [said.factory, said.address, said.wallet].map(addressIn)
  if (chainId === undefined || !factory || !address || !wallet)
    throw new WrongSplitter('The service names no valid splitter. Nothing was signed.')
  const expected = predictSplitter(factory, wallet)
  if (expected !== address)
    throw new WrongSplitter(
      `The service names ${address} as the splitter of ${wallet}, but that of the factory ${factory} is ${expected}. Nothing was signed.`,
    )
  return { network, chainId, factory, address, wallet }
}

/**
 * The splitter of a listing that the wallet is paid by.
 * @throws WrongSplitter also where the listing is paid to another wallet, or its deployment is another transaction
 */
export function splitterOf({ slug, splitter, payoutWallet }: ListingRecord, wallet: Address): ExpectedSplitter {
  if (!splitter) throw new WrongSplitter(`${slug} has no splitter: it is paid directly to ${payoutWallet}.`)
  if (payoutWallet.toLowerCase() !== wallet.toLowerCase())
    throw new WrongSplitter(`${slug} is paid to ${payoutWallet}, and not to ${wallet}. Nothing was signed.`)
  const { network, address, deploy } = splitter
  const expected = expectedSplitter({ network, factory: deploy.to, address, wallet })
  const own = deployCall(expected)
  if (deploy.data.toLowerCase() !== own.data || deploy.value !== '0')
    throw new WrongSplitter(
      'The service asks for another transaction than the deployment of the splitter. Nothing was signed.',
    )
  return expected
}

export function deployCall({ factory, wallet }: ExpectedSplitter): SplitterCall {
  const { to, data } = deployTransaction(factory, wallet)
  return { to, data, value: 0n }
}

const DISTRIBUTE = encodeFunctionData({ abi: parseAbi(['function distribute()']), functionName: 'distribute' })

export const distributeCall = ({ address }: ExpectedSplitter): SplitterCall => ({
  to: address,
  data: DISTRIBUTE,
  value: 0n,
})

const addressIn = (text: string): Address | undefined =>
  isAddress(text, { strict: false }) ? getAddress(text) : undefined
