import { appendFileSync, rmSync } from 'node:fs'
import { commandLine } from '@callboard/runtime/command-line'
import { temporaryFolder } from '@callboard/testkit/folder'
import { QUICK } from './faults/quick.ts'
import { routerMoney } from './money/command.ts'
import { seeded } from './random.ts'
import { hasHeld, keep, kept } from './results.ts'
import { summaryOf } from './summary.ts'
import type { Outcome } from './walk.ts'

const USAGE = `usage: npm run faults [-- --seed N] [--only TEXT …] [--quick] [--open] [--keep] [--log FILE] [--from REF] [--list] [--help]
       npm run faults -- router-money [--calls N] [--at-once N] [--seed N] [--log FILE]
  Kills, pauses and starves the parts of a cluster under load, feeds them false answers, and checks the invariants after
  each fault.
  --seed N     repeats the same order and choices
  --only TEXT  only faults whose name contains this text; may be repeated
  --quick      one fault of each kind, in less than five minutes
  --open       leaves out what a kept walk already found to hold
  --keep       writes what was seen to docs/faults.md
  --log FILE   writes what the processes print to FILE
  --from REF   instead upgrades a cluster of that version, rolls it back and upgrades it again
  --list       lists the faults, and breaks nothing
  router-money walks the money of the Router instead; see its own --help`

/** Parses the command line of the walk of faults. */
const readWalk = (given: readonly string[]) =>
  commandLine(given, {
    usage: USAGE,
    options: {
      seed: { type: 'string' },
      only: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      log: { type: 'string' },
      keep: { type: 'boolean' },
      open: { type: 'boolean' },
      quick: { type: 'boolean' },
      from: { type: 'string' },
    },
  }).values
type Values = ReturnType<typeof readWalk>

/**
 * `npm run faults [-- --seed N] [-- --only TEXT …]`: walks through the faults, or those whose names contain a text, in
 * an order that the seed decides; `--open` omits those that held in a kept walk. `--keep` writes the results to
 * docs/faults.md, `--log FILE` the output of the processes. `--from REF` upgrades a cluster of that version instead.
 */
async function main(values: Values): Promise<number> {
  // The services are imported only now, so that command-line errors are reported at once.
  const [{ endWithThisProcess }, { faults }, { checkOut, upgrades }, { walkOne }, { openWorld }] = await Promise.all([
    import('@callboard/embedded'),
    import('./faults/index.ts'),
    import('./upgrade.ts'),
    import('./walk.ts'),
    import('./world.ts'),
  ])
  if (values.list) {
    console.log(faults.map(({ name, how }) => `${name}: ${how}`).join('\n'))
    return 0
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const random = seeded(seed)
  const chosen = values.from ? upgrades : faults.filter(({ name }) => isWanted(values, name))
  if (chosen.length === 0) throw new Error(`No fault is called so; see --list.`)
  console.log(`Seed ${seed}: ${chosen.length} faults`)
  const folder = temporaryFolder('callboard-faults-')
  endWithThisProcess().remove(folder)
  const file = values.log
  const log = (line: string) => file && appendFileSync(file, `${new Date().toISOString()} ${line}\n`)
  const outcomes: Outcome[] = []
  const openedAt = performance.now()
  const old = values.from ? await checkOut(values.from, folder) : {}
  const world = await openWorld(folder, random, log, old)
  console.log(`${world.cluster.members.length} processes are ready after ${secondsSince(openedAt)}`)
  let signalled = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => (signalled = true))
  try {
    for (const fault of values.from ? chosen : random.shuffled(chosen)) {
      if (signalled) break
      const startedAt = performance.now()
      const outcome = await walkOne(world, fault)
      outcomes.push(outcome)
      if (values.keep) keep(seed, [outcome])
      const took = secondsSince(startedAt)
      const said = outcome.impossible ? `left out: ${outcome.impossible}` : outcome.broken.length ? 'BROKEN' : 'held'
      const after = `whole after ${((outcome.recoveredMs ?? 0) / 1000).toFixed(1)} s`
      console.log(`${said.padEnd(7)} ${took.padStart(7)}  ${fault.name}  ${after}  ${JSON.stringify(outcome.answers)}`)
      for (const one of outcome.broken) console.log(`                 ${one}`)
    }
  } finally {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const { said, isGood } = summaryOf(outcomes, chosen.length)
  console.log(`${said}; repeat with --seed ${seed}`)
  return isGood ? 0 : 1
}

/** Selects faults: `--only` by name, `--quick` one of each kind, `--open` all but those that held in a kept walk. */
function isWanted(values: Values, name: string): boolean {
  const isNamed = !values.only || values.only.some((text) => name.includes(text))
  if (values.quick && !Object.values(QUICK).includes(name)) return false
  return isNamed && !(values.open && hasHeld(kept()[name]))
}

const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`

const [walk, ...given] = process.argv.slice(2)
process.exitCode = walk === 'router-money' ? await routerMoney(given) : await main(readWalk(process.argv.slice(2)))
