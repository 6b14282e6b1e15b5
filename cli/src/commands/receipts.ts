import { readFileSync } from 'node:fs'
import { Api, ApiUnreachable, type ReceiptKeys, readReceipts, router, verifyReceipts } from '@callboard/client'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'
import { linkOf, type Settings } from '../settings.ts'
import { written } from '../written.ts'

/** A Router key, and the service that it belongs to. */
interface Keyed {
  readonly baseUrl: string
  readonly routerKey: string
}

/** The key of `CALLBOARD_ROUTER_KEY`, else that of the link, which is sent to no service but the link's. */
function keyed(settings: Settings): Keyed {
  const given = process.env.CALLBOARD_ROUTER_KEY
  if (given) return { baseUrl: settings.baseUrl, routerKey: given }
  const { baseUrl, routerKey } = linkOf(settings)
  if (routerKey) return { baseUrl, routerKey }
  throw new Usage('The link has no Router key: set CALLBOARD_ROUTER_KEY.')
}

const receiptsOf = ({ baseUrl, routerKey }: Keyed, after?: number) => readReceipts(baseUrl, routerKey, after)

/** Receipts that cannot be stored would be missed only when they are needed. */
const kept = (jws: string): Promise<void> =>
  written(`${jws}\n`).catch((error: unknown) => {
    throw new NotKept('The receipts could not be written: stdout takes no more. Those before are complete.', {
      cause: error,
    })
  })

class NotKept extends Error {
  override readonly name = 'NotKept'
}

/** What stands on a line of its own, and what a terminal does nothing with. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** `callboard router receipts`: writes the Router key's signed receipts, one per line, for storing. */
export const routerReceipts: Command = {
  usage: 'router receipts [--after NUMBER]',
  about: ['  Prints the signed receipts of CALLBOARD_ROUTER_KEY, or of the link’s key, one per line.'],
  options: { after: { type: 'string' } },
  async run({ settings, values }) {
    const after = Number(values.after ?? 0)
    if (!Number.isSafeInteger(after) || after < 0)
      throw new Usage(`--after: ${values.after} is not the number of a receipt`)
    const from = keyed(settings)
    for await (const jws of receiptsOf(from, after)) {
      if (!COMPACT_JWS.test(jws)) throw new ApiUnreachable(`What ${from.baseUrl} answered is not a receipt`)
      await kept(jws)
    }
    return EXIT.ok
  },
}

/** `callboard router verify-receipts`: checks stored receipts, or those that the Router has for the key. */
export const routerVerifyReceipts: Command = {
  usage: 'router verify-receipts [FILE] [--keys FILE]',
  about: [
    '  Checks the signatures and that no receipt is missing, and names the first broken one. FILE has one receipt per',
    '  line, as `router receipts` prints them; one without any fails. Without FILE, the command reads the receipts of the',
    '  Router key. --keys names a file with the public keys (GET /api/router/receipt-keys). Without it, the command asks the',
    '  service for them.',
  ],
  options: { keys: { type: 'string' } },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const [file, ...more] = words
    if (more.length > 0) throw new Usage(`The command checks one file at a time, and got more: ${more.join(' ')}`)
    const from = file ?? keyed(settings)
    const isKept = typeof from === 'string'
    const ask = () => keysOf(isKept ? settings : from)
    const [keys, newKeys] = typeof values.keys === 'string' ? [keysIn(values.keys)] : [await ask(), ask]
    const receipts = isKept ? linesOf(from) : receiptsOf(from)
    // A file may begin anywhere; the Router has all of them.
    const checked = await verifyReceipts(receipts, keys, { isWhole: !isKept, newKeys })
    const { count, totalUsd, estimatedUsd, chains, broken } = checked
    const sum = `${count} receipts are valid: ${totalUsd} USD, of which ${estimatedUsd} USD estimated`
    print.result(checked, [
      ...chains.map(({ key, first, last }) => `key ${key}: receipts ${first.seq} to ${last.seq}, no gap`),
      count === 0 && !broken ? `${isKept ? from : 'The Router key'} has no receipts: nothing was verified.` : sum,
      ...(broken ? [`line ${broken.line} ${broken.reason}`] : []),
    ])
    // A key without a call has none; a file without one was meant to keep some.
    return broken || (isKept && count === 0) ? EXIT.unexpected : EXIT.ok
  },
}

const keysOf = ({ baseUrl }: Pick<Keyed, 'baseUrl'>): Promise<ReceiptKeys> =>
  new Api({ baseUrl }).call(router.receiptKeys, {})

function keysIn(file: string): ReceiptKeys {
  try {
    return router.receiptKeys.output.parse(JSON.parse(textOf(file)))
  } catch (error) {
    throw error instanceof Usage ? error : new Usage(`${file} is not a JSON Web Key Set of receipts`)
  }
}

const linesOf = (file: string): string[] => textOf(file).split('\n')

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Usage(`${file} cannot be read`)
  }
}
