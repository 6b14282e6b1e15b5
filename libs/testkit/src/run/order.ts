import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** What a short file takes on the average. Seconds. */
const SHORT_S = 2.5

/** Ends of the paths of files that take long, and the seconds that each took when it was measured last. */
export type LongFiles = Readonly<Record<string, number>>

/**
 * Puts files in an order in which the longest begin first, and one worker is always left to short ones: a long file
 * waits half of its time, for a process, a chain or a timer, and short ones keep the cores busy meanwhile.
 * @param secondsOf undefined for a short file
 */
export function inTurns<File>(
  files: readonly File[],
  secondsOf: (file: File) => number | undefined,
  workers: number,
): File[] {
  const isLong = (file: File) => secondsOf(file) !== undefined
  const long = files.filter(isLong).toSorted((one, other) => (secondsOf(other) ?? 0) - (secondsOf(one) ?? 0))
  const short = files.filter((file) => !isLong(file))
  const busy = Array.from({ length: workers }, () => ({ until: 0, withLong: false }))
  const order: File[] = []
  while (order.length < files.length) {
    const next = busy.reduce((first, one) => (one.until < first.until ? one : first))
    const others = busy.filter((one) => one !== next && one.withLong).length
    const mayBeLong = others < Math.max(1, workers - 1) || short.length === 0
    const file = ((mayBeLong ? long.shift() : undefined) ?? short.shift()) as File
    order.push(file)
    next.withLong = isLong(file)
    next.until += secondsOf(file) ?? SHORT_S
  }
  return order
}

/** That order within each project, for a checkout without times of an earlier run. */
export const longInTurns = (seconds: LongFiles, workers: number): typeof BaseSequencer =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const secondsOf = ({ moduleId }: TestSpecification) =>
        Object.entries(seconds).find(([end]) => moduleId.endsWith(end))?.[1]
      const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
      return [...projects.values()].flatMap((ofOne) => inTurns(ofOne, secondsOf, workers))
    }
  }
