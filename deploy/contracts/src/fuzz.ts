import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runForge } from './forge.ts'

const USAGE = `usage: npm run contracts:fuzz -- [--minutes N] [--runs N] [--seed 0x…]
  one round of 5,000 inputs and 100 call sequences for each test; with --minutes, rounds with fresh seeds for so long`

const MINUTE_MS = 60_000

/** What was asked for; a command line that is not understood ends the process with 2. */
function flags() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { minutes: text, runs: text, seed: text, help: { type: 'boolean', short: 'h' } } })
      .values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    process.exit(2)
  }
}

/** Fuzzes the contracts for as long as wanted. Each round's seed is said, so that a failure can be run again. */
async function main(): Promise<number> {
  const values = flags()
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const [minutes, runs] = [Number(values.minutes ?? 0), Number(values.runs ?? 5_000)]
  if (!(minutes >= 0) || !Number.isInteger(runs) || runs < 1) {
    console.error(USAGE)
    return 2
  }
  const end = performance.now() + minutes * MINUTE_MS
  for (let round = 1; ; round++) {
    const seed = values.seed ?? `0x${randomBytes(32).toString('hex')}`
    console.log(`Round ${round}, seed ${seed}`)
    const effort = { fuzzRuns: runs, invariantRuns: Math.max(1, Math.round(runs / 50)), seed }
    const { code } = await runForge(effort, { show: true })
    if (code !== 0) return code
    if (performance.now() >= end || values.seed !== undefined) return 0
  }
}

process.exitCode = await main()
