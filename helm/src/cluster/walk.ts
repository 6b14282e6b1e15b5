import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Watchdog } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { examples, findHelm } from '../chart.ts'
import { startControlPlane } from './control-plane.ts'
import type { Group } from './demands/demand.ts'
import { exampleGroup } from './demands/example.ts'
import { journeyGroup } from './demands/journey.ts'
import { scalingGroup } from './demands/scaling.ts'
import { firstCallGroup } from './first-call/first-call.ts'
import { discover } from './kinds.ts'
import type { Programs } from './programs.ts'

/** The result of one demand. */
export interface Row {
  readonly group: string
  readonly demand: string
  readonly held: boolean
  /** What was observed. */
  readonly seen: string
}

export interface WalkOptions {
  /** Groups whose name contains one of these texts; absent: all. */
  readonly only: readonly string[] | undefined
  /** Ends everything started if this process is killed. */
  readonly watchdog: Watchdog
  readonly log: (line: string) => void
  readonly say: (line: string) => void
}

/** A row of the table, aligned with the others. */
export const lineOf = ({ group, demand, held, seen }: Row): string =>
  `${held ? 'held  ' : 'MISSED'}  ${group.padEnd(24)}  ${demand}: ${seen}`

/** Checks demands one after the other, up to the first that fails, as the next depend on it. */
export async function holdAll({ name: group, demands, end }: Group): Promise<Row[]> {
  const rows: Row[] = []
  try {
    for (const { name: demand, hold } of demands) rows.push({ group, demand, held: true, seen: await hold() })
  } catch (error) {
    const { message, stderr } = error as Error & { readonly stderr?: string }
    const demand = demands[rows.length]?.name ?? ''
    rows.push({ group, demand, held: false, seen: (stderr || message).trim() })
  } finally {
    await end?.()
  }
  return rows
}

/** Starts a cluster, checks every demand on it, and ends everything that it started. */
export async function walk(programs: Programs, { only, watchdog, log, say }: WalkOptions): Promise<readonly Row[]> {
  const helm = findHelm()
  if (!helm) throw new Error('There is no helm: it comes from npm on Linux, and elsewhere from the PATH.')
  const folder = temporaryFolder('callboard-cluster-')
  watchdog.remove(folder)
  const cluster = await startControlPlane(programs, { folder, log })
  try {
    await cluster.api.must('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', PRIORITY)
    const world = { ...cluster, helm, folder, kinds: await discover(cluster.api) }
    const groups = [
      ...[...examples()].map(([name, values]) => exampleGroup(world, name, values)),
      journeyGroup(world),
      scalingGroup(world, programs['prometheus-adapter'], log),
      firstCallGroup(world, programs.kubectl, log),
    ].filter(({ name }) => !only || only.some((text) => name.includes(text)))
    if (groups.length === 0) throw new Error('No example is called so; the examples lie in helm/callboard/ci.')
    const rows: Row[] = []
    for (const group of groups) {
      const held = await holdAll(group)
      for (const row of held) say(lineOf(row))
      rows.push(...held)
    }
    return rows
  } finally {
    await cluster.stop()
    rmSync(join(folder), { recursive: true, force: true })
  }
}

/** A priority class that the example `ha` names, as clusters have it. */
const PRIORITY = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'business-critical' },
  value: 1_000_000,
}
