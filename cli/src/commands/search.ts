import { Api } from '@callboard/client'
import { catalog } from '@callboard/contract'
import type { Command } from '../command.ts'
import { EXIT, Usage } from '../exit-codes.ts'

const MOST = 50

/** `callboard search WORDS` */
export const search: Command = {
  usage: 'search WORDS… [--network CAIP2] [--limit N] [--include-unverified]',
  options: { network: { type: 'string' }, limit: { type: 'string' }, 'include-unverified': { type: 'boolean' } },
  async run({ settings, print, values, words }) {
    const limit = Number(values.limit ?? 10)
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new Usage(`--limit: must be 1 to ${MOST}`)
    const answer = await new Api({ baseUrl: settings.baseUrl }).call(catalog.discovery, {
      ...(words.length === 0 ? {} : { q: words.join(' ') }),
      ...(values.network === undefined ? {} : { network: String(values.network) }),
      ...(values['include-unverified'] === true ? { includeUnverified: 'true' } : {}),
      limit,
    })
    const lines = answer.items.flatMap(({ ref, card, execution }) => [
      `${card.title}  ${card.facts.map(({ label, value }) => `${label} ${value}`).join(', ')}`,
      `  ${ref}  ${execution?.url ?? ''}`,
    ])
    print.result(answer, lines.length === 0 ? ['Nothing is found.'] : lines)
    return EXIT.ok
  },
}
