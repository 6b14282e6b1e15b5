import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'

/** A constant piece of SQL, to be part of a statement. */
export class SqlText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Where a statement may be sent: a database or a transaction. */
type Executor = Pick<Kysely<unknown>, 'executeQuery'>

/** A statement that is ready to be sent, and what its answer says. */
export interface Statement<Answer> {
  execute(db: Executor): Promise<Answer>
  /** The same statement, whose answer is read further. */
  as<Read>(read: (answer: Answer) => Read): Statement<Read>
}

/** The answers to statements, in their order. */
export type Answers<All extends readonly Statement<unknown>[]> = {
  -readonly [Place in keyof All]: All[Place] extends Statement<infer Answer> ? Answer : never
}

/**
 * Several statements of a `pipelined` transaction, sent in one round trip. Postgres runs them in this order: each sees
 * what those before it wrote, and what others had committed by the time those before it had their locks.
 */
export const inOrder = <const All extends readonly Statement<unknown>[]>(statements: All): Statement<Answers<All>> =>
  sentBy((tx) => Promise.all(statements.map((one) => one.execute(tx))) as Promise<Answers<All>>)

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
export function statement<Row = unknown>(
  parts: TemplateStringsArray,
  ...given: readonly unknown[]
): Statement<QueryResult<Row>> {
  const pieces = given.map((one) => (one instanceof SqlText ? one : undefined))
  const known = built.get(parts) ?? build(parts, pieces)
  if (known.pieces.some((piece, at) => piece !== pieces[at])) throw new Error(`not always the same: ${known.text}`)
  return textStatement<Row>(
    known.text,
    given.filter((_, at) => pieces[at] === undefined),
  )
}

/** A statement with a text that its caller keeps, and values for $1, $2, … */
export const textStatement = <Row = unknown>(text: string, values: readonly unknown[]): Statement<QueryResult<Row>> =>
  sentBy((db) => db.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>))

/** In place of a statement where there is nothing to ask. */
export const noStatement = <Answer>(answer: Answer): Statement<Answer> => sentBy(() => Promise.resolve(answer))

const sentBy = <Answer>(execute: Statement<Answer>['execute']): Statement<Answer> => ({
  execute,
  as: (read) => sentBy((db) => execute(db).then(read)),
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
