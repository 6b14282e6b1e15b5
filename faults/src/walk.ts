import { failureText } from '@callboard/runtime/command-line'
import type { Fault } from './faults/fault.ts'
import { invariants } from './invariants/index.ts'
import type { World } from './world.ts'

/** The result of a fault. */
export interface Outcome {
  readonly fault: string
  /** What did not hold; empty when all did. */
  readonly broken: readonly string[]
  /** Why it was left out on this machine. */
  readonly impossible?: string
  /** The load's answers from the fault to the recovery, by status; 0 is none. */
  readonly answers: Readonly<Record<string, number>>
  /** From the end of the fault until every kind of work succeeded again; absent where not recorded. */
  readonly recoveredMs?: number
}

const RECOVERY_MS = 90_000

/** Causes one fault under load, and checks every invariant once the load has recovered and is paused. */
export async function walkOne(world: World, fault: Fault): Promise<Outcome> {
  const { load, cluster } = world
  const impossible = fault.impossible?.()
  if (impossible) return { fault: fault.name, broken: [], impossible, answers: {} }
  const from = load.requests.sent.length
  const broken: string[] = []
  load.resume()
  await load.untilWell(RECOVERY_MS)
  try {
    await fault.inject(world)
  } catch (error) {
    const message = failureText(error)
    world.log(`the fault could not be carried out: ${message}`)
    broken.push(message)
  }
  heal(world)
  const healedAt = performance.now()
  const gone = cluster.members.filter(({ running }) => !running)
  for (const member of gone) {
    broken.push(`${member.target} ended by itself:\n${member.lastLines}`)
    await member.start().catch((error: Error) => broken.push(error.message))
  }
  await load.untilWell(RECOVERY_MS).catch((error: Error) => broken.push(error.message))
  const recoveredMs = Math.round(performance.now() - healedAt)
  await load.pause()
  for (const invariant of invariants) {
    world.log(`checking that ${invariant.name}`)
    const found = await invariant.broken(world).catch((error: unknown) => [`it could not be checked: ${error}`])
    broken.push(...found.map((one) => `${invariant.name}: ${one}`))
  }
  const answers = Object.groupBy(load.requests.sent.slice(from), ({ status }) => String(status))
  const counts = Object.entries(answers).map(([status, all]) => [status, all?.length ?? 0] as const)
  return { fault: fault.name, broken, answers: Object.fromEntries(counts), recoveredMs }
}

/** Heals every link that is slow, cut or lying, whatever a failed fault left behind. */
function heal({ lines, cluster }: World): void {
  for (const link of [lines?.postgres, lines?.nats, lines?.redis]) link?.heal()
  if (lines) lines.chain.lie = {}
  for (const backing of [cluster.nats, cluster.redis, cluster.postgres, cluster.chain]) backing.resume()
  for (const member of cluster.members) member.signal('SIGCONT')
}
