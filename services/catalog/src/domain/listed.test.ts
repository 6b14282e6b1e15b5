import { expect, test } from 'vitest'
import { listed, pricedOperation } from '../../test/support/listed.ts'
import { splitSchemas } from './listed.ts'

const IN = { type: 'object' }
const OUT = { type: 'array' }

test('a snapshot is split into what lists show and the schemas, by operation index', () => {
  const { snapshot } = listed()
  const operations = [
    { ...pricedOperation({ name: 'both' }), inputSchema: IN, outputSchema: OUT, sample: { query: { a: 'b' } } },
    pricedOperation({ name: 'none' }),
    { ...pricedOperation({ name: 'in' }), inputSchema: IN },
    { ...pricedOperation({ name: 'out' }), outputSchema: OUT },
  ]
  expect(splitSchemas({ ...snapshot, operations })).toStrictEqual({
    listed: { ...snapshot, operations: ['both', 'none', 'in', 'out'].map((name) => pricedOperation({ name })) },
    schemas: [
      { inputSchema: IN, outputSchema: OUT, sample: { query: { a: 'b' } } },
      {},
      { inputSchema: IN },
      { outputSchema: OUT },
    ],
  })
})

test('the headers of a sample are in neither part, because they are for probes alone', () => {
  const operations = [{ ...pricedOperation(), sample: { body: { q: 1 }, headers: { 'x-unit': 'for probes alone' } } }]
  expect(JSON.stringify(splitSchemas({ ...listed().snapshot, operations }))).not.toContain('for probes alone')
})
