import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * An order for a checkout that has no times of an earlier run: of each project the named files first, and then as Vitest has it. A long
 * file that begins last keeps one core busy while the others rest.
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
