import { catalog, listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { eventually, liveAtScripted, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

const path = (slug: string) => `/api/call/listings/${slug}`

export const edit: Register = (target) => {
  staged(target, 'name and description change together or separately; the slug stays', async (stage) => {
    const { provider, client, word } = stage
    const { slug, description } = await liveAtScripted(stage, '/edited', `Edited ${word}`)
    const change = async (body: object) => accepted(listings.edit, await provider.api.patch(path(slug), body))

    const renamed = await change({ name: `Renamed ${word}` })
    expectFields(renamed, FIELDS.edited)
    expect(renamed).toEqual({ ok: true, slug, name: `Renamed ${word}`, description })
    expect(await change({ description: 'Described anew.' })).toMatchObject({ name: `Renamed ${word}` })
    const both = { name: `Both ${word}`, description: 'Both.' }
    expect(await change(both)).toEqual({ ok: true, slug, ...both })

    await eventually(async () => {
      expect(accepted(catalog.entry, await client.get(`/api/calls/${slug}`))).toMatchObject({ id: slug, ...both })
    })
  })

  staged(target, 'edits a draft, too', async ({ provider, draft }) => {
    const answer = await provider.api.patch(path(draft.slug), { description: 'Still a draft.' })
    expect(accepted(listings.edit, answer).description).toBe('Still a draft.')
  })

  staged(target, '404 not_found: unknown, or not the credential’s', async ({ visitor, weather }) => {
    for (const slug of ['nobody-has-this', weather.slug]) {
      refused(listings.edit, await visitor.api.patch(path(slug), { name: 'Taken over' }), 404, 'not_found')
    }
  })

  staged(target, '400 names the field', async ({ provider, weather }) => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: 'ab' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'Turned \u202etxt' }, 'name'],
      [{ description: '' }, 'description'],
      [{ description: 'Hidden \u200b' }, 'description'],
      [{ description: 'a'.repeat(1001) }, 'description'],
      [{ name: 'A name', category: 'ai' }, 'category'],
      [{ name: 'A name', slug: 'another' }, 'slug'],
    ] as const) {
      const answer = await provider.api.patch(path(weather.slug), body)
      refused(listings.edit, answer, 400, 'invalid_request', field)
    }
  })

  test('401 unauthorized: without a credential', async () => {
    const answer = await new Client(target().baseUrl).patch(path('a'), { name: 'A name' })
    refused(listings.edit, answer, 401, 'unauthorized')
  })
}
