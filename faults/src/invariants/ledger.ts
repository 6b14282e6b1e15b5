import type { Devnet } from '@callboard/conformance/target'
import { movementsOn } from './chain-truth.ts'
import { foundAfter, type Invariant } from './invariant.ts'

interface Row {
  readonly tx_hash: string
  readonly log_index: number
  readonly amount: string
}

/** Reads rows of the services' database. */
type Query = <Found extends object>(text: string, values?: unknown[]) => Promise<Found[]>

const WITHIN_MS = 60_000

/** The rows missing on either side. */
function differences(name: string, rows: readonly string[], truth: ReadonlySet<string>): string[] {
  const seen = new Set(rows)
  const found = rows.filter((row) => !truth.has(row)).map((row) => `${name} has ${row}, the chain has not`)
  found.push(...[...truth].filter((row) => !seen.has(row)).map((row) => `the chain has ${row}, ${name} has not`))
  if (seen.size !== rows.length) found.push(`${name} has ${rows.length - seen.size} rows twice`)
  return found
}

const line = (row: Row) => `${row.tx_hash}/${row.log_index} ${row.amount}`

/**
 * How the records of indexer, directory and facilitator differ from the chain, in words.
 * @param payers whose transfers by authorization are checked; all when absent, including those that others submitted
 */
export async function differencesFromChain(
  devnet: Devnet,
  query: Query,
  payers?: readonly string[],
): Promise<string[]> {
  const isAsked = (payer: string) => !payers || payers.includes(payer)
  const movements = (await movementsOn(devnet)).filter(({ payer }) => isAsked(payer))
  const truth = new Set(movements.map((one) => `${one.transaction}/${one.logIndex} ${one.value}`))
  const asked = [payers ?? null]
  const indexed = await query<Row>(
    `select tx_hash, log_index, amount::text from chain_indexer.settlement
      where $1::text[] is null or payer = any($1)`,
    asked,
  )
  const shown = await query<Row>(
    `select tx_hash, log_index, (amount_usd::numeric * 1000000)::numeric(78,0)::text as amount
      from catalog.settlement where ($1::text[] is null or payer = any($1)) and not reverted`,
    asked,
  )
  const settled = await query<{ nonce: string; payer: string; settled_tx: string | null }>(
    `select nonce, payer, settled_tx from x402_facilitator.payment
      where ($1::text[] is null or payer = any($1)) and state in ('mined', 'safe', 'final')`,
    asked,
  )
  const presented = new Set(
    (await query<{ nonce: string }>('select nonce from x402_facilitator.payment')).map(({ nonce }) => nonce),
  )
  const paid = new Set(
    movements.filter(({ nonce }) => payers || presented.has(nonce)).map((one) => `${one.nonce} in ${one.transaction}`),
  )
  return [
    ...differences('the indexer', indexed.map(line), truth),
    ...differences('the directory', shown.map(line), truth),
    ...differences(
      'the facilitator',
      settled.map((row) => `${row.nonce} in ${row.settled_tx}`),
      paid,
    ),
  ]
}

/** Indexer, directory and facilitator agree with the chain on every settlement, to the unit. */
export const ledger: Invariant = {
  name: 'the ledgers equal the chain to the unit',
  broken: ({ devnet, stage, db }) =>
    foundAfter(WITHIN_MS, () =>
      differencesFromChain(
        devnet,
        async <Found extends object>(text: string, values?: unknown[]) => (await db.query<Found>(text, values)).rows,
        stage.payers.map(({ address }) => address),
      ),
    ),
}
