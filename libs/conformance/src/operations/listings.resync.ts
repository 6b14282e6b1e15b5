import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import type { Answer } from '../client.ts'
import { Client } from '../client.ts'
import { accepted, expectFields, refused } from '../expectations.ts'
import { act } from '../provider.ts'
import { plain } from '../scripted.ts'
import { FIELDS } from '../specification.ts'
import { liveAtScripted, staged } from '../stage.ts'
import type { Register } from '../target.ts'

/** Above any sensible burst of this route. */
const MANY = 100

/** The route's rate is small: these tests send few requests, and the one that exhausts it comes last. */
export const resync: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const send = (slug: string) => client().post(`/api/call/listings/${slug}/resync`)
  const recheck = async (slug: string) => {
    const body = accepted(listings.resync, await send(slug))
    expectFields(body, FIELDS.rechecked)
    return body
  }

  staged(target, '202 refreshed, failed or suspended, as the listing is', async (stage) => {
    const { slug } = await liveAtScripted(stage, '/rechecked', `Rechecked ${stage.word}`)
    expect(await recheck(slug)).toMatchObject({ ok: true, outcome: 'refreshed' })
    stage.scripted.set('/rechecked', plain)
    expect(await recheck(slug)).toMatchObject({ ok: false, outcome: 'failed' })
    expect((await act(stage.provider.api, slug, 'suspend')).status).toBe(200)
    expect(await recheck(slug)).toMatchObject({ ok: false, outcome: 'suspended' })
  })

  staged(target, '404 not_found: a draft is nobody’s business', async ({ draft }) => {
    refused(listings.resync, await send(draft.slug), 404, 'not_found')
  })

  test('404 not_found: an unknown slug', async () => {
    refused(listings.resync, await send('nobody-has-this'), 404, 'not_found')
  })

  test('429 rate_limited, with Retry-After', async () => {
    const path = '/api/call/listings/nobody-has-this/resync'
    let last: Answer | undefined
    for (let sent = 0; sent < MANY && last?.status !== 429; sent++) {
      last = await client().post(path, undefined, { takes429: true })
    }
    expect(last).toBeDefined()
    if (last) refused(listings.resync, last, 429, 'rate_limited')
  })
}
