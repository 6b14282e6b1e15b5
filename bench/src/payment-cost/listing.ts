import type { Counts } from './counting.ts'
import type { Entry } from './ledger.ts'

const SHOWN = new Set<Entry['what']>(['statements', 'JSON-RPC calls', 'WebSocket messages to the node'])

/** Every statement and call of one payment in order: when after the request, how long, by whom, what. */
export function listing({ verified, settled, entries }: Counts['one']): string {
  const line = ({ at, ms, what, by, text = '' }: Entry) => {
    const who = what === 'statements' ? by : 'chain'
    const said = what === 'statements' ? text : `${by} ${text}`
    return `${at.toFixed(1).padStart(7)} ${(ms?.toFixed(1) ?? '').padStart(6)} ${who.padEnd(17)} ${said.replaceAll(/\s+/g, ' ')}`
  }
  const part = (title: string, from: number, to: number) => [
    `-- ${title}`,
    ...entries.filter(({ at, what }) => at >= from && at < to && SHOWN.has(what)).map(line),
  ]
  return [
    '     at   took who               what (milliseconds after the question)',
    ...part(`verify, answered after ${verified.toFixed(1)} ms`, 0, verified),
    ...part(`settle, answered after ${(settled - verified).toFixed(1)} ms`, verified, settled),
    ...part('the rest of the second', settled, Number.POSITIVE_INFINITY),
  ].join('\n')
}
