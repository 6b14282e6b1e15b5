import { randomInt } from 'node:crypto'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import type { Effort } from './run.ts'
import type { Finding, Outcome } from './tally.ts'

const USAGE = `usage: npm run fuzz -- [--minutes N] [--cases N] [--seed N] [--from N] [--only TEXT] [--help]
  Starts its own instance and sends it generated requests to every route, with every kind of credential. Each answer must be
  one that the contract declares. Default: 5,000 cases with a fresh seed.
  --minutes N   runs for N minutes, however many cases that is
  --cases N     runs N cases
  --seed N      repeats the same cases; a seed is printed at the start and with every finding
  --from N      starts at case number N
  --only TEXT   only routes whose operation ID or path contains this text
exit codes: 0 nothing found, 1 something found, 2 command line not understood`

const MINUTE_MS = 60_000
const MOST_CASES = 1_000_000_000

/** Reads the command line. */
function effortOf(given: readonly string[]): Effort {
  const text = { type: 'string' } as const
  const { values } = commandLine(given, {
    usage: USAGE,
    options: { minutes: text, cases: text, seed: text, from: text, only: text },
  })
  const number = (name: 'minutes' | 'cases' | 'seed' | 'from', otherwise: number): number => {
    const told = values[name]
    if (told === undefined) return otherwise
    return /^\d+(\.\d+)?$/.test(told) ? Number(told) : misunderstood(`--${name} takes a number, not ${told}.`, USAGE)
  }
  const minutes = number('minutes', 0)
  return {
    seed: number('seed', randomInt(1, 2 ** 31)),
    from: number('from', 0),
    cases: number('cases', minutes > 0 ? MOST_CASES : 5_000),
    until: minutes > 0 ? performance.now() + minutes * MINUTE_MS : Number.POSITIVE_INFINITY,
    only: values.only ?? '',
  }
}

function show(seed: number, { number, target, kind, faults, curl, answer }: Finding): void {
  console.log(`\nFound: ${target} with ${kind}: ${faults.join('; ')}`)
  console.log(`  again:  npm run fuzz -- --seed ${seed} --from ${number} --cases 1`)
  console.log(`  or:     ${curl.length > 6_000 ? 'the request is too long for a command line' : curl}`)
  console.log(`  answer: ${answer}`)
}

function summarise({ seed }: Effort, { cases, byKind, byStatus, late, neverGood, findings }: Outcome): void {
  const told = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  console.log(`\nSeed ${seed}: ${cases} cases.`)
  console.log(`  by credential: ${told(byKind)}`)
  console.log(`  by status: ${told(byStatus)}`)
  if (late > 0)
    console.log(`  answered 504 and, asked again, in time: ${late}; a busy machine does that, a hang is found`)
  if (neverGood.length > 0) console.log(`  never answered with success: ${neverGood.join(', ')}`)
  console.log(findings.length === 0 ? '  Nothing found.' : `  Found: ${findings.length}, each shown above.`)
}

async function fuzz(effort: Effort): Promise<number> {
  console.log(`Seed ${effort.seed}`)
  // Loaded here, since loading everything that a case needs takes longer than refusing a command line.
  const [{ startInstance }, { runCases }] = await Promise.all([import('../instance.ts'), import('./run.ts')])
  const instance = await startInstance()
  let found = true
  try {
    const outcome = await runCases(instance, effort, (finding) => show(effort.seed, finding))
    summarise(effort, outcome)
    const ended = instance.ended()
    if (ended !== null) console.log(`The instance ended by itself, with ${ended}.`)
    found = outcome.findings.length > 0 || ended !== null
    if (found) console.log(`What the instance said: ${instance.logFile}`)
    return found ? 1 : 0
  } finally {
    await instance.stop(found)
  }
}

process.exitCode = await fuzz(effortOf(process.argv.slice(2))).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  return 1
})
