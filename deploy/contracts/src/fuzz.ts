import { randomBytes } from 'node:crypto'
import { commandLine } from '@callboard/runtime/command-line'
import { runForge } from './forge.ts'

const USAGE = `usage: npm run contracts:fuzz -- [--minutes N] [--runs N] [--seed 0x…]
  Runs one round of 5,000 inputs and 100 call sequences for each test. With --minutes, it runs rounds with fresh seeds for that
  long.`

const MINUTE_MS = 60_000

/** Fuzzes the contracts for a given time. Prints each round's seed, so that a failure can be repeated. */
async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const options = { minutes: text, runs: text, seed: text }
  const { values } = commandLine(process.argv.slice(2), { usage: USAGE, options })
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
