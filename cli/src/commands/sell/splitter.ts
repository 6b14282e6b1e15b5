import { listings, OutcomeUnknown } from '@callboard/client'
import { usdOfUsdc } from '@callboard/values'
import { formatEther, getAddress, isAddress } from 'viem'
import type { Command, Invocation } from '../../command.ts'
import { EXIT, Usage, WrongSplitter } from '../../exit-codes.ts'
import { knownAssets } from '../../known-assets.ts'
import {
  balanceOf,
  chainAt,
  feeOf,
  isDeployed,
  requireOurFactory,
  rpcUrlOf,
  type SellerChain,
  sent,
} from '../../selling/chain.ts'
import {
  deployCall,
  distributeCall,
  type ExpectedSplitter,
  expectedSplitter,
  type SplitterCall,
  splitterOf,
} from '../../selling/expected-splitter.ts'
import { MAX_FEE, MAX_FEE_ABOUT, mostFeeOf, requireWithin } from '../../selling/most-fee.ts'
import { ownListing, slugIn } from '../../selling/own-listing.ts'
import { sellerOf } from '../../selling/seller.ts'
import { payoutWalletOf } from '../../settings.ts'

const ON_CHAIN = { rpc: { type: 'string' }, asset: { type: 'string', multiple: true } } as const
const SENDS = { ...ON_CHAIN, ...MAX_FEE, 'dry-run': { type: 'boolean' } } as const
const ABOUT = [
  '  --rpc (or CALLBOARD_RPC_URL) is a node of the chain. The command checks by its code that the factory is Callboard’s',
  '  and splits USDC. --asset names the test USDC of a devnet, as CAIP2/ADDRESS.',
]

/** `callboard sell splitter`: the address that a seller's endpoints name as `payTo`. */
export const sellSplitter: Command = {
  usage: 'sell splitter [--wallet ADDRESS] [--network CAIP2] [--rpc URL] [--asset CAIP2/ADDRESS]',
  about: ['  Prints the fee splitter of the payout wallet on each network: set it as payTo.', ...ABOUT],
  options: { ...ON_CHAIN, wallet: { type: 'string' }, network: { type: 'string' } },
  async run({ settings, print, values }) {
    const wallet = values.wallet === undefined ? payoutWalletOf(settings).address : addressOf(String(values.wallet))
    const { networkStates } = await sellerOf(settings).call(listings.splitters, { wallet })
    const named = networkStates.filter(({ network }) => values.network === undefined || network === values.network)
    const rpcUrl = rpcUrlOf(values.rpc)
    if (rpcUrl !== undefined && named.length !== 1) throw new Usage('--rpc is of one chain: name it with --network')
    const splitters = named.map(({ network, factoryAddress, splitterAddress, deployed, balanceUsdc }) => ({
      ...expectedSplitter({ network, factory: factoryAddress, address: splitterAddress, wallet }),
      ...{ deployed, balanceUsdc },
    }))
    if (rpcUrl !== undefined)
      for (const splitter of splitters)
        await requireOurFactory(await chainAt(rpcUrl, splitter.chainId), splitter, knownAssets(values.asset))
    print.result(
      { wallet, checked: rpcUrl !== undefined, splitters },
      splitters.map(
        ({ network, address, deployed, balanceUsdc }) =>
          `${address}  on ${network}, ${deployed ? 'deployed' : 'not deployed yet'}, holds ${balanceUsdc} USDC`,
      ),
    )
    if (rpcUrl === undefined)
      print.progress('unchecked', {}, 'The factory was not checked on the chain. To check it, name a node with --rpc.')
    return splitters.length === 0 ? EXIT.notFound : EXIT.ok
  },
}

/** `callboard sell deploy SLUG`: puts the listing's splitter on the chain. */
export const sellDeploy: Command = {
  usage: 'sell deploy SLUG [--rpc URL] [--asset CAIP2/ADDRESS] [--max-fee AMOUNT] [--dry-run]',
  about: [
    '  Sends, from the payout wallet, the transaction that creates the splitter. It sends no money, and costs gas.',
    ...ABOUT,
    ...MAX_FEE_ABOUT,
  ],
  options: SENDS,
  takesWords: true,
  async run(invocation) {
    const { print } = invocation
    const { slug, chain, splitter } = await checked(invocation, 'deploy')
    if (await isDeployed(chain, splitter)) {
      print.result({ slug, ...splitter, sent: false }, [`The splitter ${splitter.address} is deployed already.`])
      return EXIT.ok
    }
    const hash = await send(invocation, chain, deployCall(splitter))
    if (hash !== undefined && !(await isDeployed(chain, splitter)))
      // A node behind the same address may be a block behind.
      throw new OutcomeUnknown(
        `${hash} is in a block, but the node shows no splitter at ${splitter.address} yet. Repeat the command, which sends nothing once it does.`,
        { repeatable: true, cause: undefined },
      )
    print.result({ slug, ...splitter, sent: hash !== undefined, transaction: hash ?? null }, [
      ...(hash === undefined
        ? ['Nothing was sent.']
        : [`The splitter ${splitter.address} is deployed: ${hash}`, `  next  callboard sell activate ${slug}`]),
    ])
    return EXIT.ok
  },
}

/** `callboard sell distribute SLUG`: has the splitter pay out what it holds. */
export const sellDistribute: Command = {
  usage: 'sell distribute SLUG [--rpc URL] [--asset CAIP2/ADDRESS] [--max-fee AMOUNT] [--dry-run]',
  about: [
    '  Has the listing’s splitter pay out what it holds: 95 % to your wallet, the rest to the network.',
    ...ABOUT,
    ...MAX_FEE_ABOUT,
  ],
  options: SENDS,
  takesWords: true,
  async run(invocation) {
    const { print } = invocation
    const { slug, chain, splitter, token } = await checked(invocation, 'distribute')
    if (!(await isDeployed(chain, splitter)))
      throw new WrongSplitter(`The splitter is not deployed yet. Deploy it with: callboard sell deploy ${slug}`)
    const usd = usdOfUsdc(await balanceOf(chain, token, splitter))
    const hash = usd === '0' ? undefined : await send(invocation, chain, distributeCall(splitter))
    print.result({ slug, ...splitter, usd, sent: hash !== undefined, transaction: hash ?? null }, [
      hash === undefined
        ? `The splitter ${splitter.address} holds ${usd} USDC. Nothing was sent.`
        : `${usd} USDC were distributed: ${hash}`,
    ])
    return EXIT.ok
  },
}

/** The listing's splitter, after every check that a transaction to it needs. */
async function checked({ settings, values, words }: Invocation, verb: string) {
  const slug = slugIn(words, verb)
  const rpcUrl = rpcUrlOf(values.rpc)
  if (rpcUrl === undefined) throw new Usage('A node of the chain is missing: set --rpc or CALLBOARD_RPC_URL')
  const splitter = splitterOf(await ownListing(sellerOf(settings), slug), payoutWalletOf(settings).address)
  const chain = await chainAt(rpcUrl, splitter.chainId)
  return { slug, chain, splitter, token: await requireOurFactory(chain, splitter, knownAssets(values.asset)) }
}

/** Shows what a transaction costs, and sends it. @returns its hash; undefined with `--dry-run` */
async function send({ settings, print, values }: Invocation, chain: SellerChain, call: SplitterCall) {
  const account = payoutWalletOf(settings)
  const allowedWei = mostFeeOf(values['max-fee'])
  const fee = await feeOf(chain, account, call)
  const mostWei = fee.gas * fee.maxFeePerGas
  const { to, data } = call
  print.progress(
    'transaction',
    { to, data, value: '0', chainId: chain.chainId, gas: fee.gas, mostWei },
    `Transaction to ${to} on chain ${chain.chainId}, value 0: about ${fee.gas} gas, at most ${formatEther(mostWei)} of its coin`,
  )
  requireWithin(mostWei, allowedWei)
  return values['dry-run'] === true ? undefined : sent(chain, account, { ...call, ...fee })
}

function addressOf(text: string): ExpectedSplitter['wallet'] {
  if (!isAddress(text, { strict: false })) throw new Usage(`--wallet: ${text} is not an address`)
  return getAddress(text)
}
