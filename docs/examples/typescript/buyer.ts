import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { accountOf, devnet } from './devnet.ts'

const [url] = process.argv.slice(2)
if (!url) throw new Error('buyer.ts URL')

const client = new x402Client().register('eip155:*', new ExactEvmScheme(accountOf(6))).setSpendControls({
  // The stock client pays only in tokens that it knows; the devnet's test USDC is named here, with a limit.
  allowedAssets: [{ network: devnet.network, asset: devnet.usdc.address, maxAmountPerPayment: '100000' }],
})
const answer = await wrapFetchWithPayment(fetch, client)(url)
console.log(answer.status, await answer.text())

const evidence = answer.headers.get('payment-response')
if (evidence) console.log(decodePaymentResponseHeader(evidence))
