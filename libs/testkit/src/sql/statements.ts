/** The statements that the services of one test file sent. */
export interface Sent {
  readonly file: string
  readonly statements: readonly string[]
}

/**
 * For each file, the statements that differ from all of the others'; only files that have some. A statement differs
 * from another if it has an SQL word that the other lacks: values and quoted names do not count, since some statements
 * have a variable number of columns.
 */
export function ownStatements(files: readonly Sent[], others: readonly Sent[]): readonly Sent[] {
  const known = [...wordsOf(others.flatMap(({ statements }) => statements)).values()]
  return files
    .map(({ file, statements }) => {
      const own = [...wordsOf(statements)].filter(
        ([, words]) => !known.some((others) => [...words].every((word) => others.has(word))),
      )
      return { file, statements: own.map(([statement]) => statement) }
    })
    .filter(({ statements }) => statements.length > 0)
}

const wordsOf = (statements: readonly string[]) =>
  new Map(statements.map((statement) => [statement, new Set(words(statement))]))

const VALUES_AND_NAMES = /'(?:[^']|'')*'|"[^"]*"|\$\d+/g

/** The words of a statement, including operators. */
const words = (statement: string): readonly string[] =>
  statement
    .toLowerCase()
    .replace(VALUES_AND_NAMES, ' ')
    .match(/[a-z_]\w*(?:\[\])?|[^\s\w(),.;]+/g) ?? []
