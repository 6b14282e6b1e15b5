import { keepGenerated } from '@callboard/tools/generated-files'
import { faults } from './faults/index.ts'
import { invariants } from './invariants/index.ts'
import { kept, type Seen } from './results.ts'
import { tested } from './tested.ts'
import { upgrades } from './upgrade.ts'

function verdict(seen: Seen | undefined): string {
  if (!seen) return '**open**: not walked yet'
  if (seen.impossible) return `left out on ${seen.date}: ${seen.impossible}`
  if (seen.broken.length > 0) return `**broken** on ${seen.date}, seed ${seen.seed}: ${seen.broken.join('; ')}`
  const answers = Object.entries(seen.answers).map(
    ([status, count]) => `${count} × ${status === '0' ? 'none' : status}`,
  )
  const whole = seen.recoveredMs === undefined ? '' : `whole again after ${(seen.recoveredMs / 1000).toFixed(1)} s; `
  return `held; ${whole}answers ${answers.join(', ')}`
}

/** Upgrades need a cluster of its own: `npm run faults -- --from REF`. */
const walked = [...faults, ...upgrades]

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** docs/faults.md, from the declarations of the faults and what the last kept walks saw. */
export function page(): string {
  const seen = kept()
  const seeds = [...new Set(Object.values(seen).map(({ seed, date }) => `seed ${seed} on ${date}`))]
  return [
    '# Faults',
    '',
    'What is done to Callboard on purpose, what must hold, and what was seen. `npm run faults` starts two processes of every',
    'service over real NATS, Postgres, Redis and a local chain, drives steady mixed load (readers, payers, a provider, owners),',
    'does one fault at a time in an order that a printed seed decides, and checks after each that:',
    '',
    ...invariants.map(({ name }) => `- ${name}`),
    '',
    'and that every kind of work succeeds again. The load hands a payment in again until its outcome is definite, as a resource',
    'server does; an answer that is no outcome counts as unknown. Status counts are of the whole time from the fault to the',
    'recovery. This page is written from the declarations in `faults/src` and from `faults/results.json`.',
    '',
    `## Walked (${seeds.join('; ') || 'not yet'})`,
    '',
    row('fault', 'how', 'must hold', 'seen'),
    row('---', '---', '---', '---'),
    ...walked.map((fault) => row(fault.name, fault.how, fault.mustHold, verdict(seen[fault.name]))),
    '',
    '## The money of the Router',
    '',
    '`npm run faults -- router-money` makes 10,000 model calls, 64 at once, through three gateways and three Routers: every surface,',
    'whole and streamed, with the troubles of the sample provider, clients that go away, keys of balances and of links, wallets without a key, and payments that',
    'come with a call and are repeated. Meanwhile processes are killed and started again, Redis and NATS are killed and paused, Postgres is restarted,',
    'and the books are read many times a second. At the end holds that died processes left behind are made older than any call, in the',
    'database, so that the Router’s own sweep releases them. It ends with 1 where any of this does not hold:',
    '',
    '- at every look spent + held ≤ purchased, no budget is above its limit, and every transfer sums to zero',
    '- at the end nothing is held and no call is under way; the whole of the books agrees with itself',
    '- what is charged for a whole answer is the price of the usage that the upstream counts for that request, each request once',
    '- what came whole to its client is charged, unless Postgres was away; what was lost or broken is free',
    '- an answer that we lost on its way to a client which waited for it is not settled as charged afterwards',
    '- the receipts of each key follow one another without a gap',
    '- each payment that moved on the chain is credited once, to its owner',
    '',
    '`--calls`, `--at-once` and `--seed` choose another walk; the choices repeat with the seed, what a kill meets does not.',
    '',
    '## By a test of their own',
    '',
    'Faults that need a stage of their own, or that are of the embedded mode. They are in `npm test`.',
    '',
    row('fault', 'how', 'must hold', 'test'),
    row('---', '---', '---', '---'),
    ...tested.map(({ name, how, mustHold, test: [file, title] }) => row(name, how, mustHold, `\`${file}\`: ${title}`)),
    '',
  ].join('\n')
}

if (import.meta.main) keepGenerated('npm run docs:gen', () => new Map([['docs/faults.md', page()]]))
