import { transfer } from '@callboard/client'
import { agents } from '@callboard/contract'
import { usdcOfUsd, usdOfUsdc } from '@callboard/values'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'
import { knownAssets } from '../known-assets.ts'
import { ledgerOf, linkedApi, linkOf, policyOf, type Settings, walletOf } from '../settings.ts'

/** `callboard agent transfer`: moves the agent's USDC to its owner, or to another agent of theirs. */
export const agentTransfer: Command = {
  usage: 'agent transfer USD --to owner|LABEL [--network CAIP2] [--asset CAIP2/ADDRESS]',
  about: [
    'Signs a USDC transfer with the agent’s wallet. The service settles it and pays the gas. LABEL is the label of another',
    'linked agent of the owner, or its client ID.',
    'A transfer to another agent counts as spending, within policy.json. One to the owner does not, and has no limit.',
    'Exit code 7: the outcome is not known. You may repeat the same command: until the outcome is known, it sends the',
    'same authorization, which moves the money once.',
  ],
  options: { to: { type: 'string' }, network: { type: 'string' }, asset: { type: 'string', multiple: true } },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const [usd, ...more] = words
    if (usd === undefined || more.length > 0) throw new Usage('agent transfer takes one amount of USD')
    const amount = amountOf(usd)
    if (values.to === undefined) throw new Usage('--to: must be owner, or the label of another agent of the owner')
    const to = String(values.to)
    const assets = knownAssets(values.asset)
    const wallet = {
      account: walletOf(settings, false),
      policy: policyOf(settings),
      ledger: ledgerOf(settings),
      assets,
    }
    const toOwner = to === 'owner'
    const payTo = toOwner ? linkOf(settings).owner : await siblingOf(settings, to)
    if (payTo === undefined) {
      print.progress('not_found', { to }, `The owner has no other active agent called ${to}.`)
      return EXIT.notFound
    }
    const network = values.network === undefined ? undefined : String(values.network)
    const moved = await transfer(wallet, linkedApi(settings), { payTo, toOwner, amount, network })
    const { transaction, repeated } = moved
    print.result({ to, payTo, usd: usdOfUsdc(amount), network: moved.network, transaction, repeated }, [
      `${usdOfUsdc(amount)} USD to ${to} (${payTo}) on ${moved.network}: ${transaction}`,
      ...(repeated ? ['It was signed earlier. This is its outcome.'] : []),
    ])
    return EXIT.ok
  },
}

function amountOf(text: string): bigint {
  const amount = usdcOfUsd(text) ?? 0n
  if (amount === 0n) throw new Usage(`${text} is not an amount of USD, for example 2.50`)
  return amount
}

/** The wallet of another active agent of the owner, by label or client id. @throws Usage when several have the label */
async function siblingOf(settings: Settings, name: string): Promise<string | undefined> {
  const { siblings } = await linkedApi(settings).call(agents.siblings, {})
  const others = siblings.filter(({ self, status }) => !self && status === 'active')
  const named = others.filter(({ label, clientId }) => label === name || clientId === name)
  if (named.length <= 1) return named[0]?.wallet
  throw new Usage(`--to: several agents are called ${name}: ${named.map(({ clientId }) => clientId).join(', ')}`)
}
