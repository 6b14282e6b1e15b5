import { isProgram } from '@callboard/runtime/command-line'
import { keepGenerated } from '@callboard/tools/generated-files'
import { faults } from './faults/index.ts'
import { invariants } from './invariants/index.ts'
import { kept, type Seen } from './results.ts'
import { tested } from './tested.ts'
import { upgrades } from './upgrade.ts'

function verdict(seen: Seen | undefined): string {
  if (!seen) return '**open**: not tested yet'
  if (seen.impossible) return `skipped on ${seen.date}: ${seen.impossible}`
  if (seen.broken.length > 0) return `**broken** on ${seen.date}, seed ${seen.seed}: ${seen.broken.join('; ')}`
  const answers = Object.entries(seen.answers).map(
    ([status, count]) => `${count} × ${status === '0' ? 'none' : status}`,
  )
  const recovered = seen.recoveredMs === undefined ? '' : `recovered after ${(seen.recoveredMs / 1000).toFixed(1)} s; `
  return `held; ${recovered}answers: ${answers.join(', ')}`
}

/** Upgrades need a cluster of its own: `npm run faults -- --from REF`. */
const walked = [...faults, ...upgrades]

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** docs/faults.md, from the declarations of the faults and the results of the last kept walks. */
export function page(): string {
  const seen = kept()
  const seeds = [...new Set(Object.values(seen).map(({ seed, date }) => `seed ${seed} on ${date}`))]
  return [
    '# Faults',
    '',
    'This page lists the faults that we inject into Callboard, what must hold under each, and what was seen. `npm run faults` starts',
    'two processes of every service over real NATS, Postgres, Redis and a local chain, and drives steady mixed load (readers, payers,',
    'a provider, owners). It injects one fault at a time, in an order that a printed seed decides, and checks after each fault that:',
    '',
    ...invariants.map(({ name }) => `- ${name}`),
    '',
    'It also checks that every kind of work succeeds again. The load presents a payment again until its outcome is definite, as a',
    'resource server does. An answer that is not an outcome counts as unknown. Status counts cover the whole time from the fault to the',
    'recovery. This page is generated from the declarations in `faults/src` and from `faults/results.json`.',
    '',
    `## Results (${seeds.join('; ') || 'none yet'})`,
    '',
    row('fault', 'how', 'must hold', 'seen'),
    row('---', '---', '---', '---'),
    ...walked.map((fault) => row(fault.name, fault.how, fault.mustHold, verdict(seen[fault.name]))),
    '',
    '## The Router’s money',
    '',
    '`npm run faults -- router-money` makes 10,000 model calls, 64 at once, through three gateways and three Routers. The calls cover every',
    'surface, whole and streamed, with the failures that the sample provider simulates, clients that disconnect, keys of balances and of',
    'links, wallets without a key, and payments that come with a call and are repeated. During the calls, the program kills and restarts',
    'processes, kills and pauses Redis and NATS, restarts Postgres, and reads the books many times a second. At the end it makes the',
    'holds that killed processes left behind older than any call, in the database, so that the Router’s own sweep releases them. It exits',
    'with 1 if any of this does not hold:',
    '',
    '- at every reading spent + held ≤ purchased, no budget is above its limit, and every transfer sums to zero',
    '- at the end nothing is held, no call is in progress, and the books as a whole are consistent',
    '- the charge for a whole answer is the price of the usage that the upstream counts for that request, and each request is charged once',
    '- an answer that reached its client whole is charged, unless Postgres was unavailable; a lost or broken answer is free',
    '- an answer that we lost on its way to a client which waited for it is not settled as charged afterwards',
    '- the receipts of each key follow one another without a gap',
    '- each payment that moved on the chain is credited once, to its owner',
    '',
    '`--calls`, `--at-once` and `--seed` choose another walk. A seed repeats the same choices, but not what a kill interrupts.',
    '',
    '## Faults with their own test',
    '',
    'These faults need their own setup or concern the embedded mode. Their tests are part of `npm test`.',
    '',
    row('fault', 'how', 'must hold', 'test'),
    row('---', '---', '---', '---'),
    ...tested.map(({ name, how, mustHold, test: [file, title] }) => row(name, how, mustHold, `\`${file}\`: ${title}`)),
    '',
  ].join('\n')
}

if (isProgram(import.meta, process.argv)) keepGenerated('npm run docs:gen', () => new Map([['docs/faults.md', page()]]))
