import { listings } from '@callboard/client'
import { type DiagnosedProbe, HttpMethod } from '@callboard/contract'
import type { Command } from '../../command.ts'
import { EXIT, Usage } from '../../exit-codes.ts'
import { sampleIn } from '../../selling/sample-file.ts'
import { sellerOf } from '../../selling/seller.ts'
import { isHttpUrl } from '../../settings.ts'

/** `callboard sell probe URL`: how an endpoint answers a call without payment, and whether it can be listed. */
export const sellProbe: Command = {
  usage: 'sell probe URL [--method METHOD] [--sample FILE]',
  about: [
    '  Has the service call the endpoint once without paying. Exit code 5: it cannot be listed as it answers now. --sample',
    '  names a JSON file with the `body`, `query` or `headers` that the endpoint demands before it asks for payment.',
  ],
  options: { method: { type: 'string' }, sample: { type: 'string' } },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const [url, ...more] = words
    if (url === undefined || more.length > 0) throw new Usage('sell probe takes one URL')
    if (!isHttpUrl(url)) throw new Usage(`${url} is not a URL, for example https://api.example/quote`)
    const method = values.method === undefined ? undefined : methodOf(String(values.method))
    const sample = values.sample === undefined ? undefined : sampleIn(String(values.sample))
    const found = await sellerOf(settings).call(listings.probe, { url, method, sample })
    const listable = found.offered.some(({ payable }) => payable)
    print.result({ listable, ...found }, [
      listable ? 'It can be listed.' : `It cannot be listed. ${found.message}`,
      ...(listable ? [] : [`  mend  ${found.mend}`]),
      ...found.offered.flatMap(wayLines),
      ...found.issues.flatMap(({ code, message, mend }) => [`issue ${code}  ${message}`, `  mend  ${mend}`]),
    ])
    return listable ? EXIT.ok : EXIT.policy
  },
}

function wayLines(way: DiagnosedProbe['offered'][number]): string[] {
  const { scheme, network, asset, amount, payTo, payable, message, mend } = way
  return [
    `${payable ? 'payable' : 'not payable'}  ${amount} of ${asset} on ${network} to ${payTo} (${scheme})`,
    ...(message ? [`  why   ${message}`] : []),
    ...(mend ? [`  mend  ${mend}`] : []),
  ]
}

function methodOf(text: string): HttpMethod {
  const method = HttpMethod.safeParse(text.toUpperCase())
  if (!method.success) throw new Usage(`--method: must be ${HttpMethod.options.join(', ')}`)
  return method.data
}
