import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, misunderstood } from '@callboard/runtime/command-line'
import { serverFolder, temporaryFolder } from '@callboard/testkit/folder'

const USAGE = `usage: npm run faults -- router-money [--calls N] [--at-once N] [--seed N] [--log FILE] [--help]
  Calls models through three gateways and three Routers, kills all of these at random, and watches the money.
  --calls N    the number of calls (10000)
  --at-once N  the number of calls in progress at a time (64)
  --seed N     repeats the same calls and choices
  --log FILE   writes what the processes print, and every kill, to FILE
  Ctrl-C ends the calls. The verdict then covers the calls that were made.`

/** `npm run faults -- router-money`. @returns the exit code */
export async function routerMoney(given: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = commandLine(given, {
    usage: USAGE,
    options: { calls: text, 'at-once': text, seed: text, log: text },
  })
  const count = (name: 'calls' | 'at-once' | 'seed', otherwise: number): number => {
    const number = Number(values[name] ?? otherwise)
    if (!Number.isSafeInteger(number) || number < 1) misunderstood(`--${name} must be a whole number above 0.`, USAGE)
    return number
  }
  const seed = count('seed', 1 + (Date.now() % 1_000_000))
  const [calls, atOnce] = [count('calls', 10_000), count('at-once', 64)]
  // The services are imported only now, so that command-line errors are reported at once.
  const [{ endWithThisProcess }, { walkMoney }, { summaryOf }, { bundlePrograms }] = await Promise.all([
    import('@callboard/embedded'),
    import('./walk.ts'),
    import('./summary.ts'),
    import('../../../libs/testkit/src/prepared/bundle-programs.ts'),
  ])
  console.log(`Seed ${seed}: ${calls} calls, ${atOnce} at once`)
  const [programs, folder] = [temporaryFolder('callboard-programs-'), serverFolder('callboard-money-')]
  const watchdog = endWithThisProcess()
  for (const one of [programs, folder]) watchdog.remove(one)
  const file = values.log
  const log = (line: string) => file && appendFileSync(file, `${new Date().toISOString()} ${line}\n`)
  const enough = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => enough.abort())
  try {
    // A process that is killed every second must start fast.
    await bundlePrograms(programs)
    const outcome = await walkMoney({
      ...{ folder, seed, calls, atOnce, log, main: join(programs, 'main.mjs') },
      enough: enough.signal,
      ...{ gateways: 3, routers: 3, many: { buyers: 4, credited: 12, linked: 6, wallets: 4 } },
      ...{
        kills: { least: 1 },
        everyMs: [150, 650],
        patienceMs: 8_000,
        serverFaults: Math.min(7, Math.ceil(calls / 200)),
      },
    })
    for (const line of summaryOf(outcome)) console.log(line)
    console.log(`Repeat with --seed ${seed}`)
    return outcome.faults.length === 0 ? 0 : 1
  } finally {
    for (const one of [programs, folder]) rmSync(one, { recursive: true, force: true })
  }
}
