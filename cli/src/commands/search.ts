import { Api } from '@callboard/client'
import { catalog, ItemKind, MOST_HIDDEN } from '@callboard/contract'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'

const MOST = 50

const hiddenSentence = (count: number): string =>
  `${count}${count === MOST_HIDDEN ? ' or more' : ''} listing${count === 1 ? ' is' : 's are'} not shown, because not yet verified. ` +
  'Use --include-unverified to see them in their providers’ own words.'

/** `callboard search WORDS` */
export const search: Command = {
  usage: 'search WORDS… [--kind KIND] [--network CAIP2] [--limit N] [--include-unverified]',
  about: [
    '',
    '  --kind  api (the default), service_offer (work on offer) or open_request (what somebody wants to buy)',
    '  --include-unverified  also shows listings that are not reviewed yet. Without it, the command says how many match',
  ],
  options: {
    kind: { type: 'string' },
    network: { type: 'string' },
    limit: { type: 'string' },
    'include-unverified': { type: 'boolean' },
  },
  takesWords: true,
  async run({ settings, print, values, words }) {
    const limit = Number(values.limit ?? 10)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new Usage(`--limit: must be 1 to ${MOST}`)
    const kind = ItemKind.safeParse(values.kind ?? 'api')
    if (!kind.success) throw new Usage(`--kind: must be ${ItemKind.options.join(', ')}`)
    const api = new Api({ baseUrl: settings.baseUrl })
    const asked = {
      kinds: kind.data,
      ...(words.length === 0 ? {} : { q: words.join(' ') }),
      ...(values.network === undefined ? {} : { network: String(values.network) }),
    }
    const includes = values['include-unverified'] === true
    const answer = await api.call(catalog.discovery, {
      ...asked,
      ...(includes ? { includeUnverified: 'true' } : {}),
      limit,
    })
    const lines = answer.items.flatMap(({ ref, card, execution }) => [
      `${card.title}  ${card.facts.map(({ label, value }) => `${label} ${value}`).join(', ')}`,
      `  ${ref}  ${execution?.url ?? ''}`,
    ])
    print.result(answer, lines.length === 0 ? ['Nothing found.'] : lines)
    const hidden = answer.hiddenUnverified
    if (hidden > 0) print.progress('hidden', { unverified: hidden }, hiddenSentence(hidden))
    return EXIT.ok
  },
}
