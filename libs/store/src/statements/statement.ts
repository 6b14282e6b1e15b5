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
  /** In their places; undefined in the place of a value. */
  readonly pieces: readonly (SqlText | undefined)[]
}

const built = new WeakMap<TemplateStringsArray, Built>()

/**
 * A statement whose text is built once for its place in the code, where kysely's `sql` builds it at each call. For what
 * every payment or every request runs (docs/adr/0138).
 * @throws Error where a place has other constant pieces than before: its text would depend on values
 */
export function statement<Row = unknown>(parts: TemplateStringsArray, ...given: readonly unknown[]): Statement<Row> {
  const pieces = given.map((one) => (one instanceof SqlText ? one : undefined))
  const known = built.get(parts) ?? build(parts, pieces)
  if (known.pieces.some((piece, at) => piece !== pieces[at])) throw new Error(`not always the same: ${known.text}`)
  return textStatement(
    known.text,
    given.filter((_, at) => pieces[at] === undefined),
  )
}

/** A statement with a text that its caller keeps, and values for $1, $2, … */
export const textStatement = <Row = unknown>(text: string, values: readonly unknown[]): Statement<Row> => ({
  execute: (db) => db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>),
})

function build(parts: TemplateStringsArray, pieces: Built['pieces']): Built {
  let places = 0
  const text = pieces.reduce<string>(
    (before, piece, at) => `${before}${piece?.text ?? `$${++places}`}${parts[at + 1]}`,
    parts[0] ?? '',
  )
  const made = { text, pieces }
  built.set(parts, made)
  return made
}
