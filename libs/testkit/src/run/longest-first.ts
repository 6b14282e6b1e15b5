import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * An order for a checkout without times of an earlier run: in each project the named files first, then Vitest's order.
 * A long file that starts last keeps one core busy while the others are idle.
 * @param long ends of paths, the longest file first
 */
export const longestFirst = (long: readonly string[]): typeof BaseSequencer =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => {
        const at = long.findIndex((end) => moduleId.endsWith(end))
        return at === -1 ? long.length : at
      }
      const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
      return [...projects.values()].flatMap((ofOne) => ofOne.toSorted((one, other) => place(one) - place(other)))
    }
  }
