import { pay } from '@callboard/client'
import type { Command } from '../command.ts'
import { eachChunk } from '../each-chunk.ts'
import { EXIT, Usage } from '../exit-codes.ts'
import { knownAssets } from '../known-assets.ts'
import { brokenOffAfter, outcomeOf, receiptOf, WOULD_PAY_AGAIN } from '../payment-outcome.ts'
import { within } from '../price-limit.ts'
import { jsonOf, shownLine } from '../print.ts'
import { refuseUnsendable } from '../sendable.ts'
import { isHttpUrl, ledgerOf, policyOf, walletOf } from '../settings.ts'
import { written } from '../written.ts'

/** `callboard pay URL`: writes the answer's body to stdout, the receipt to stderr. */
export const payUrl: Command = {
  usage: 'pay URL [-X METHOD] [-d BODY] [-H "name: value"] [--max USD] [--asset CAIP2/ADDRESS] [--anew]',
  about: [
    '',
    '  --max    pays no more than this for the call, even where the policy allows more',
    '  --asset  another token that is worth a dollar, in addition to USDC on public networks: the test USDC of a devnet.',
    '           It must have six decimals, as the limits count: of one with two, 0.10 USD would be 1000 dollars',
    '  --anew   signs a new payment, although the outcome of one for the same call is unknown: both may be settled',
    '',
    'If no answer came after the payment (exit code 7), repeat the same command. It presents the same payment to the',
    'seller again, which pays once, until the outcome is known.',
  ],
  options: {
    request: { type: 'string', short: 'X' },
    data: { type: 'string', short: 'd' },
    header: { type: 'string', short: 'H', multiple: true },
    max: { type: 'string' },
    asset: { type: 'string', multiple: true },
    anew: { type: 'boolean' },
  },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const [url, ...more] = words
    if (url === undefined || more.length > 0) throw new Usage('pay takes one URL')
    if (!isHttpUrl(url)) throw new Usage(`${url} is not a URL, for example https://api.example/quote`)
    const wallet = {
      account: walletOf(settings, false),
      policy: within(policyOf(settings), values.max),
      ledger: ledgerOf(settings),
      assets: knownAssets(values.asset),
    }
    const { answer, payment } = await pay(wallet, url, { ...requestOf(url, values), anew: values.anew === true })
    const { status } = answer
    const receipt = receiptOf(payment)
    const read = settings.json ? await textOf(answer) : await copied(answer)
    const cut = read.brokenOff ? { brokenOff: true } : {}
    const line = settings.json ? `${jsonOf({ status, body: read.body, ...cut, payment: receipt ?? null })}\n` : ''
    const isTaken = line === '' || (await isWritten(line))
    const brokenOff = read.brokenOff || !isTaken
    if (receipt && !settings.json) {
      const where = shownLine(`to ${receipt.payTo} on ${receipt.network}`)
      const earlier = receipt.repeated ? ' (signed by an earlier call)' : ''
      const outcome = outcomeOf(receipt, wallet.account.address, 'Repeat the same command')
      print.progress('payment', receipt, `\n${receipt.usd} USD ${where}${earlier}: ${outcome}`)
    }
    if (brokenOff) print.progress('broken_off', {}, brokenOffAfter(payment))
    if (payment?.state === 'refused') return EXIT.paymentRefused
    const isFailed = payment?.state === 'settled' && !answer.ok
    if (isFailed) print.progress('failed', { status }, `The seller answered ${status}. ${WOULD_PAY_AGAIN}`)
    if (payment?.state === 'unknown' || isFailed || (payment && brokenOff)) return EXIT.outcomeUnknown
    if (brokenOff) return EXIT.unavailable
    return answer.ok ? EXIT.ok : ofStatus(status)
  },
}

/**
 * An answer's body. A seller that breaks it off has its payment all the same, which has to be reported; and so has it
 * where the program behind the pipe has read enough, the disk is full, or the text is too long for one.
 */
interface Body {
  readonly body: string
  readonly brokenOff: boolean
}

async function textOf(answer: Response): Promise<Body> {
  const decoder = new TextDecoder()
  let body = ''
  const brokenOff = await eachChunk(answer, (chunk) => {
    body += decoder.decode(chunk, { stream: true })
  })
  return { body: body + decoder.decode(), brokenOff }
}

/** Writes the body to stdout byte by byte, as it comes, for as long as stdout takes it. */
async function copied(answer: Response): Promise<Body> {
  const brokenOff = await eachChunk(answer, written)
  return { body: '', brokenOff }
}

/** Whether stdout took it: an answer that was paid for may be lost on a full disk. */
const isWritten = (text: string): Promise<boolean> =>
  written(text).then(
    () => true,
    () => false,
  )

const ofStatus = (status: number) =>
  status === 404 ? EXIT.notFound : status >= 500 || status === 429 ? EXIT.unavailable : EXIT.unexpected

/** What is sent. @throws Usage where there is no such request, such as one of GET with a body */
function requestOf(url: string, { request, data, header }: Readonly<Record<string, unknown>>) {
  const init = {
    method: String(request ?? (data === undefined ? 'GET' : 'POST')),
    headers: listOf(header).map(headerOf),
    ...(data === undefined ? {} : { body: String(data) }),
  }
  refuseUnsendable(url, init)
  return init
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at < 1) throw new Usage(`--header: ${text} is not "name: value"`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
