import { parseSync } from 'rolldown/utils'
import { functionsOf, isLong, isWide } from './measure-file.ts'

/**
 * The functions in these sources that are too long or take too many parameters, one per line: location, lines,
 * parameters and beginning.
 */
export function largeFunctions(paths: readonly string[], read: (path: string) => string): readonly string[] {
  return paths.flatMap((path) => {
    const text = read(path)
    const lines = text.split('\n')
    return functionsOf(parseSync(path, text), text)
      .filter((one) => isLong(one) || isWide(one))
      .map((one) => `${path}:${one.line}  ${one.lines}  ${one.parameters}  ${lines[one.line - 1]?.trim()}`)
  })
}
