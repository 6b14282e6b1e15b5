/** Two files with this many consecutive lines in common are a pair. */
export const ALIKE_LINES = 8

/** Significant lines: not blank, no import, no comment, and more than closing brackets. */
const spoken = (text: string): readonly string[] =>
  text
    .replace(/^import [^;]*? from '[^']*'$/gms, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !/^(?:\*|\/\/|\/\*)/.test(line))

/** The pairs of files with consecutive lines in common, each pair once, sorted by path. */
export function duplicatePairs(
  paths: readonly string[],
  read: (path: string) => string,
): readonly (readonly [string, string])[] {
  const holders = new Map<string, Set<string>>()
  for (const path of paths) {
    const lines = spoken(read(path))
    for (let at = 0; at + ALIKE_LINES <= lines.length; at++) {
      const run = lines.slice(at, at + ALIKE_LINES).join('\n')
      holders.set(run, (holders.get(run) ?? new Set()).add(path))
    }
  }
  const pairs = new Map<string, readonly [string, string]>()
  for (const files of holders.values()) {
    const all = [...files].sort()
    for (const [at, first] of all.entries()) {
      for (const second of all.slice(at + 1)) pairs.set(`${first}\n${second}`, [first, second])
    }
  }
  return [...pairs.keys()].sort().map((key) => pairs.get(key) as readonly [string, string])
}
