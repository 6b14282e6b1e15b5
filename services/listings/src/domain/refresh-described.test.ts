import type { ListingOperation } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { conformant, listing, offer, operation, READ_AT, terms } from '../../test/held-listing.ts'
import type { Described } from './evidence.ts'
import { refresh } from './refresh.ts'

const inputSchema = { type: 'object', required: ['city'] }
const outputSchema = { type: 'array' }

/** A stored operation after its endpoint has described itself. */
function after(held: Partial<ListingOperation>, described: Described | undefined) {
  const before = { ...operation, ...held }
  const { changed, listing: now } = refresh(
    { ...listing, operations: [before] },
    { ...before, accepts: [offer()], conformance: conformant, checkedAt: isoTime(READ_AT + 1_000), described },
    terms,
  )
  return { changed, operation: now.operations[0] }
}

describe('refresh: what an endpoint says of itself', () => {
  test('default: its schemas are those of its last challenge', () => {
    const said = { metadataEvidence: 'bazaar', outputSchema } as const
    const { changed, operation: now } = after({ metadataEvidence: 'bazaar', inputSchema }, said)
    expect({ changed, ...now }).toMatchObject({ changed: true, ...said })
    expect(now).not.toHaveProperty('inputSchema')
  })

  test.each([
    ['the challenge', 'bazaar'],
    ['its answer', 'output-schema'],
  ] as const)('behavior: what %s said is gone once it says it no more', (_what, metadataEvidence) => {
    const { changed, operation: now } = after(
      { metadataEvidence, inputSchema, outputSchema },
      { metadataEvidence: 'probe' },
    )
    expect({ changed, ...now }).toMatchObject({ changed: true, metadataEvidence: 'probe' })
    for (const schema of ['inputSchema', 'outputSchema']) expect(now).not.toHaveProperty(schema)
  })

  test('behavior: a challenge without a schema leaves what the document of the origin said', () => {
    const documented = { metadataEvidence: 'openapi', inputSchema } as const
    const { changed, operation: now } = after(documented, { metadataEvidence: 'probe' })
    expect({ changed, ...now }).toMatchObject({ changed: false, ...documented })
  })

  test.each(['bazaar', 'openapi'] as const)(
    'behavior: what %s says anew stands in place of the document',
    (metadataEvidence) => {
      const said = { metadataEvidence, outputSchema } as const
      const { changed, operation: now } = after({ metadataEvidence: 'openapi', inputSchema }, said)
      expect({ changed, ...now }).toMatchObject({ changed: true, ...said })
      expect(now).not.toHaveProperty('inputSchema')
    },
  )

  test('behavior: how its provider knows it stays, where the endpoint says nothing', () => {
    const { changed, operation: now } = after({ metadataEvidence: 'well-known' }, { metadataEvidence: 'probe' })
    expect({ changed, ...now }).toMatchObject({ changed: false, metadataEvidence: 'well-known' })
  })

  test('behavior: where nothing new was read, all stays', () => {
    const held = { metadataEvidence: 'bazaar', inputSchema, outputSchema } as const
    expect(after(held, undefined)).toMatchObject({ changed: false, operation: held })
  })

  test('behavior: its description follows its words where its owner gave none', () => {
    const described = { metadataEvidence: 'probe', description: 'Its words today.' } as const
    expect(after({ describedBy: 'endpoint', description: 'Its words before.' }, described)).toMatchObject({
      changed: true,
      operation: { description: 'Its words today.' },
    })
    expect(after({ describedBy: 'owner', description: 'A quote.' }, described)).toMatchObject({
      changed: false,
      operation: { description: 'A quote.' },
    })
  })

  test('behavior: schemas beyond what a listing may hold are left out here too', () => {
    const large = { type: 'object', description: 'x'.repeat(256 * 1024) }
    expect(after({}, { metadataEvidence: 'bazaar', inputSchema: large }).operation).not.toHaveProperty('inputSchema')
  })
})
