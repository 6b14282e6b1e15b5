import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'

/** A constant piece of SQL, to be part of a statement. */
export class SqlText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export interface Statement<Row> {
  execute(db: Pick<Kysely<unknown>, 'executeQuery'>): Promise<QueryResult<Row>>
}

interface Built {
  readonly text: string
  readonly pieces: readonly unknown[]
}

const built = new WeakMap<TemplateStringsArray, Built>()

/**
 * A statement whose text is built once for its place in the code; kysely's `sql` builds it at each call, which takes as
 * long as sending it. For what every payment or every request runs.
 * @throws Error where a place has other constant pieces than before: its text would depend on values
 */
export function statement<Row = unknown>(parts: TemplateStringsArray, ...given: readonly unknown[]): Statement<Row> {
  const pieces = given.filter((one) => one instanceof SqlText)
  const known = built.get(parts) ?? build(parts, given, pieces)
  if (known.pieces.some((piece, at) => piece !== pieces[at])) throw new Error(`not always the same: ${known.text}`)
  const values = pieces.length === 0 ? given : given.filter((one) => !(one instanceof SqlText))
  return textStatement(known.text, values)
}

/** A statement with a text that its caller keeps, and values for $1, $2, … */
export const textStatement = <Row = unknown>(text: string, values: readonly unknown[]): Statement<Row> => ({
  execute: (db) => db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>),
})

function build(parts: TemplateStringsArray, given: readonly unknown[], pieces: readonly unknown[]): Built {
  let places = 0
  const text = given.reduce<string>((before, one, at) => {
    const written = one instanceof SqlText ? one.text : `$${++places}`
    return `${before}${written}${parts[at + 1]}`
  }, parts[0] ?? '')
  const made = { text, pieces }
  built.set(parts, made)
  return made
}
