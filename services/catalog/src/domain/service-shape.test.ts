import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../test/support/listed.ts'
import { entryOf, serviceOf } from './service-shape.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('serviceOf', () => {
  const { amount: _, ...shownPayment } = payment()

  test('default: a listing in the frozen shape', () => {
    expect(serviceOf(listed())).toEqual({
      id: 'answers',
      name: 'Answers',
      description: 'Answers questions',
      category: 'data',
      tier: 'verified',
      group: 'added',
      fee: { bps: 500, label: '5% network fee' },
      verified: true,
      verification: 'verified',
      wrapped: false,
      lastCheckedAt: '2026-11-20T12:31:00.000Z',
      liveness: { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 3 },
      conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] },
      price: '0.01',
      networks: ['eip155:8453'],
      endpoints: [
        {
          name: 'Ask',
          method: 'GET',
          url: 'https://api.example/ask',
          price: '0.01',
          description: 'Answers one question',
          payment: shownPayment,
        },
      ],
    })
  })

  test('behavior: endpoints whose offer was never read are left out; the lowest price counts, each network once', () => {
    const operations = [
      unreadOperation({ name: 'unread' }),
      pricedOperation({ name: 'a', price: '0.2' }),
      pricedOperation({ name: 'b', price: '0.1', payment: payment({ network: 'eip155:84532' }) }),
      pricedOperation({ name: 'c', price: '0.3' }),
    ]
    const service = serviceOf(listed({ operations }))
    expect(service.endpoints.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(service).toMatchObject({ price: '0.1', networks: ['eip155:8453', 'eip155:84532'] })
  })

  test.each([
    ['verified', 'added', 'verified', true],
    ['verified', 'external', 'verified', true],
    ['requested', 'external', 'mirrored', false],
    ['none', 'external', 'mirrored', false],
    ['none', 'added', 'listed', false],
    ['requested', 'partner', 'listed', false],
    ['none', 'svc', 'listed', false],
  ] as const)('behavior: %s in group %s is of the tier %s', (verification, group, tier, verified) => {
    expect(serviceOf(listed({ verification, group }))).toMatchObject({ tier, verified, verification, group })
  })

  test('behavior: a listing that was never checked says so', () => {
    expect(serviceOf(listed({}, { checkedAt: null })).lastCheckedAt).toBeNull()
  })

  test('behavior: made once for as long as the listing is held', () => {
    const one = listed()
    expect(serviceOf(one)).toBe(serviceOf(one))
  })
})

describe('entryOf', () => {
  const [IN, OUT] = [{ type: 'object' }, { type: 'array' }]

  test('default: the service with a request of each operation, also of one whose offer was never read', () => {
    const operations = [
      pricedOperation(),
      unreadOperation({ name: 'unread', method: 'POST', metadataEvidence: 'none' }),
    ]
    const one = listed({ operations })
    expect(entryOf(one, [{ inputSchema: IN, outputSchema: OUT }])).toEqual({
      ...serviceOf(one),
      listedAt: '2026-11-19T12:30:00.000Z',
      requests: [
        {
          name: 'Ask',
          method: 'GET',
          url: 'https://api.example/ask',
          inputSchema: IN,
          outputSchema: OUT,
          metadataEvidence: 'probe',
        },
        {
          name: 'unread',
          method: 'POST',
          url: 'https://api.example/ask',
          inputSchema: null,
          outputSchema: null,
          metadataEvidence: 'none',
        },
      ],
    })
  })

  const one = listed({ operations: [pricedOperation(), pricedOperation({ name: 'Second' })] })
  const { requests: without, listedAt: _, ...service } = entryOf(one, [])
  /** What an answer has room for beside the service and its requests: 944 KiB in all. */
  const ROOM = 966_656 - bytesOf({ service, requests: without })
  const schemaOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  /** Which of the schemas of both operations are in the entry: the inputs, then the outputs. */
  const taken = (inputs: readonly (number | undefined)[], outputs: readonly (number | undefined)[] = []) => {
    const schemas = [0, 1].map((at) => ({
      ...(inputs[at] ? { inputSchema: schemaOf(inputs[at]) } : {}),
      ...(outputs[at] ? { outputSchema: schemaOf(outputs[at]) } : {}),
    }))
    const { requests } = entryOf(one, schemas)
    return [...requests.map(({ inputSchema }) => inputSchema), ...requests.map(({ outputSchema }) => outputSchema)].map(
      (schema) => schema !== null,
    )
  }

  test('behavior: schemas that just fit into an answer are in it', () => {
    expect(taken([ROOM])).toEqual([true, false, false, false])
    expect(taken([ROOM + 1])).toEqual([false, false, false, false])
    expect(taken([ROOM - 100, 50], [50])).toEqual([true, true, true, false])
    expect(taken([ROOM - 100, 50], [51])).toEqual([true, true, false, false])
  })

  test('behavior: what operations take has room before what they answer', () => {
    expect(taken([100, 100], [ROOM - 100, ROOM - 200])).toEqual([true, true, false, true])
  })

  test('behavior: one without room leaves its room to the next', () => {
    expect(taken([ROOM + 1, ROOM])).toEqual([false, true, false, false])
  })
})
