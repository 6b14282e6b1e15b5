import { listings } from '@callboard/contract'
import { expect, test } from 'vitest'
import { newAccount } from '../../actors/chain.ts'
import type { Answer } from '../../actors/client.ts'
import { Client } from '../../actors/client.ts'
import { act } from '../../actors/provider.ts'
import { accepted, expectFields, refused } from '../../expectations/expectations.ts'
import { FIELDS } from '../../expectations/specification.ts'
import { challengeV2, plain } from '../../sellers/scripted.ts'
import { liveAtScripted, mirroring, staged } from '../../stage.ts'
import type { Register } from '../../target.ts'

/** Above any sensible burst of this route. */
const MANY = 100

/** The route's limit is small: these tests send few requests, and the one that exhausts it is last. */
export const resync: Register = (target) => {
  const client = () => new Client(target().baseUrl)
  const send = (slug: string) => client().post(`/api/call/listings/${slug}/resync`)
  const recheck = async (slug: string) => {
    const body = accepted(listings.resync, await send(slug))
    expectFields(body, [...FIELDS.rechecked, 'problems'])
    return body
  }

  staged(target, '202 refreshed, failed or suspended, depending on the listing', async (stage) => {
    const { slug } = await liveAtScripted(stage, '/rechecked', `Rechecked ${stage.word}`)
    expect(await recheck(slug)).toMatchObject({ ok: true, outcome: 'refreshed' })
    stage.scripted.set('/rechecked', plain)
    expect(await recheck(slug)).toMatchObject({ ok: false, outcome: 'failed' })
    expect((await act(stage.provider.api, slug, 'suspend')).status).toBe(200)
    expect(await recheck(slug)).toMatchObject({ ok: false, outcome: 'suspended' })
  })

  staged(target, '202 suspended: an offer that bypasses the splitter, shown to the owner', async (stage) => {
    const { provider, scripted, asked, word } = stage
    const { slug } = await liveAtScripted(stage, '/past', `Past ${word}`)
    const own = { ...asked, payTo: newAccount().address }
    scripted.set('/past', challengeV2(asked, own))
    expect(await recheck(slug)).toMatchObject({ ok: false, outcome: 'suspended' })
    const { listings: mine } = accepted(listings.mine, await provider.api.get('/api/call/listings/mine'))
    expect(mine.find((one) => one.slug === slug)).toMatchObject({
      status: 'suspended',
      suspendedReason: expect.stringContaining(own.payTo),
    })
  })

  mirroring(target, '409 mirrored: a mirrored listing is never re-probed on request', async ({ slug }) => {
    refused(listings.resync, await send(slug), 409, 'mirrored')
  })

  staged(target, '404 not_found: a draft is not shown', async ({ draft }) => {
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
