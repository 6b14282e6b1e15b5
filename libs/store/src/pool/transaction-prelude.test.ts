import { expect, test } from 'vitest'
import { transactionPrelude } from './transaction-prelude.ts'

const settings = { schema: 'o"a\'b', statementTimeoutMs: 15_000, idleInTransactionTimeoutMs: 30_000 }

test('applies every setting to the transaction only, and quotes its values', () => {
  expect(transactionPrelude(settings, 0)).toBe(
    `select set_config('search_path', '"o""a''b"', true), set_config('statement_timeout', '15000', true), ` +
      `set_config('idle_in_transaction_session_timeout', '30000', true)`,
  )
})

test('checks the mark of the database once one is known', () => {
  expect(transactionPrelude({ ...settings, schema: 'oauth' }, 7)).toMatch(
    /, 1 \/ \(coalesce\(\(select beat from "oauth"\.database_mark\), 0\) >= 7\)::int$/,
  )
})
