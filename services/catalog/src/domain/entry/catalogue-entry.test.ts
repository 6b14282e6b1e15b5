import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../../test/support/listed.ts'
import { discoveryItem } from '../card.ts'
import { serviceOf } from '../service-shape.ts'
import { type EntryFacts, entryOf } from './catalogue-entry.ts'
import type { LiveOffer } from './endpoint-offers.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const LINK_KEY = 'a key that is long enough for a test'
const NOTHING: EntryFacts = {
  ...{ liveOffers: [], week: [], offerChanges: [], recentSettlements: [], samePayee: [], linkKey: LINK_KEY },
}

describe('entryOf', () => {
  const [IN, OUT] = [{ type: 'object', properties: { q: { const: 'tide' } }, required: ['q'] }, { type: 'array' }]

  test('default: returns the service with a request of each operation, including one whose offer was never read', () => {
    const unread = { name: 'unread', method: 'POST', metadataEvidence: 'none' } as const
    const one = listed({ operations: [pricedOperation(), unreadOperation(unread)] })
    const entry = entryOf(one, [{ inputSchema: IN, outputSchema: OUT }], NOTHING)
    expect(entry).toMatchObject({ ...serviceOf(one), listedAt: '2026-11-19T12:30:00.000Z', week: [], samePayee: [] })
    expect(entry.requests).toEqual([
      {
        name: 'Ask',
        method: 'GET',
        url: 'https://api.example/ask',
        inputSchema: IN,
        outputSchema: OUT,
        metadataEvidence: 'probe',
        sampleInput: { q: 'tide' },
        offers: { stored: { ...payment(), price: '0.01' }, live: null, differences: [] },
        howToPay: expect.objectContaining({ curl: `curl -i -g -X GET 'https://api.example/ask?q=tide'` }),
        action: discoveryItem(one, LINK_KEY).action,
      },
      {
        ...unread,
        url: 'https://api.example/ask',
        inputSchema: null,
        outputSchema: null,
        sampleInput: null,
        offers: { stored: null, live: null, differences: [] },
        howToPay: null,
        action: null,
      },
    ])
  })

  test('behavior: the last offer of an endpoint is shown next to what its listing has', () => {
    const checkedAt = new Date('2026-11-20T12:31:00.000Z')
    const live = { method: 'GET', url: 'https://api.example/ask', state: 'open', accepts: [], checkedAt } as const
    const { requests } = entryOf(listed(), [], { ...NOTHING, liveOffers: [live] })
    expect(requests[0]?.offers).toMatchObject({
      live: { accepts: [], state: 'open', checkedAt: '2026-11-20T12:31:00.000Z' },
      differences: [{ field: 'payable', stored: 'true', live: 'false' }],
    })
  })

  const live = (more: Partial<LiveOffer> = {}): LiveOffer => ({
    ...{ method: 'GET', url: 'https://api.example/ask', state: 'ok_402', checkedAt: new Date(0) },
    accepts: [{ ...payment(), payable: true, notPayableReason: null }],
    ...more,
  })

  test('behavior: the last offer of an endpoint is that of its own method and URL', () => {
    const others = [live({ method: 'POST' }), live({ url: 'https://api.example/other' })]
    expect(entryOf(listed(), [], { ...NOTHING, liveOffers: others }).requests[0]?.offers.live).toBeNull()
    const { requests } = entryOf(listed(), [], { ...NOTHING, liveOffers: [...others, live({ state: 'rate_limited' })] })
    expect(requests[0]?.offers.live).toMatchObject({ state: 'rate_limited', accepts: live().accepts })
  })

  test('behavior: a live offer that does not fit is reduced to its state and time', () => {
    const accepts = Array.from({ length: 4_000 }, () => live().accepts).flat()
    const { requests } = entryOf(listed(), [], { ...NOTHING, liveOffers: [live({ accepts })] })
    expect(requests[0]?.offers.live).toEqual({ accepts: [], state: 'ok_402', checkedAt: '1970-01-01T00:00:00.000Z' })
  })

  const one = listed({ operations: [pricedOperation(), unreadOperation({ name: 'Second' })] })
  /** The space left in an answer of 944 KiB besides its required parts. */
  const { requests: without, ...beside } = entryOf(one, [], NOTHING)
  const ROOM = 966_656 - bytesOf({ ...beside, requests: without.map((request) => ({ ...request, howToPay: null })) })
  const schemaOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  /** Which of the schemas of both operations are in the entry: the inputs, then the outputs. */
  const taken = (inputs: readonly (number | undefined)[], outputs: readonly (number | undefined)[] = []) => {
    const schemas = [0, 1].map((at) => ({
      ...(inputs[at] ? { inputSchema: schemaOf(inputs[at]) } : {}),
      ...(outputs[at] ? { outputSchema: schemaOf(outputs[at]) } : {}),
    }))
    const entry = entryOf(one, schemas, NOTHING)
    expect(bytesOf(entry)).toBeLessThanOrEqual(966_656)
    const { requests } = entry
    return [...requests.map(({ inputSchema }) => inputSchema), ...requests.map(({ outputSchema }) => outputSchema)].map(
      (schema) => schema !== null,
    )
  }

  test('behavior: schemas that just fit in an answer are included', () => {
    // The service's member name is counted too, and an empty list of offers per operation.
    const left = ROOM - '"service":{}[][]'.length
    expect(taken([left])).toEqual([true, false, false, false])
    expect(taken([left + 1])).toEqual([false, false, false, false])
    expect(taken([ROOM - 200, 50], [50])).toEqual([true, true, true, false])
    expect(taken([ROOM - 110, 50], [51])).toEqual([true, true, false, false])
  })

  test.each([
    ['nothing', []],
    ['its live offer', [live({ method: 'POST' })]],
  ])('behavior: next to %s, what is not known of an operation takes no room', (_what, liveOffers) => {
    const two = listed({ operations: [pricedOperation(), unreadOperation({ method: 'POST' })] })
    const entryWith = (schemas: object) => entryOf(two, [{}, schemas], { ...NOTHING, liveOffers })
    // Minus the directions, less the null they replace, and the member name and lists as above.
    const left = 966_656 - bytesOf(entryWith({})) - 'null"service":{}[][]'.length
    const answers = (more: number) => entryWith({ outputSchema: schemaOf(left + more) }).requests[1]?.outputSchema
    expect([answers(0), answers(1)]).toEqual([schemaOf(left), null])
  })

  test('behavior: input schemas get room before output schemas', () => {
    expect(taken([100, 100], [ROOM - 100, ROOM - 2_500])).toEqual([true, true, false, true])
  })

  test('behavior: a schema that does not fit leaves its room to the next', () => {
    expect(taken([ROOM + 20, ROOM - 20])).toEqual([false, true, false, false])
  })
})
