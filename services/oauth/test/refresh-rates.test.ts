import { granted } from '@callboard/testkit'
import { isRefusal } from '@callboard/values'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OF_FAMILY, OF_NETWORK } from '../src/grants/refresh-rates.ts'
import { Stage } from './stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await Stage.open()
})
afterEach(() => stage.close())

/** Tokens of one grant, refreshed from an address again and again. */
async function program() {
  const client = await stage.register()
  let { refresh_token } = granted(await stage.token(await stage.approved(client)))
  return async (address?: string) => {
    const answer = await stage.token({
      ...{ client_id: client.client_id, grant_type: 'refresh_token', refresh_token },
      ...(address ? { requester: { address, userAgent: null } } : {}),
    })
    if (!isRefusal(answer)) refresh_token = answer.refresh_token
    return answer
  }
}

const keptTokens = async () => (await stage.database.query('select from oauth.refresh_token')).length

test('429 rate_limited: a grant is refreshed sixty times at once, then once a minute, and keeps its tokens', async () => {
  const refresh = await program()
  for (let n = 0; n < OF_FAMILY.burst; n += 1) granted(await refresh())
  const kept = await keptTokens()
  expect(await refresh()).toMatchObject({ refusal: 'rate_limited', retryAfterSeconds: 60 })
  expect(await keptTokens()).toBe(kept)
  stage.clock.advance(60_000)
  granted(await refresh())
})

test('429 rate_limited: all grants refreshed from one network have one rate together', async () => {
  await stage.context.counters.take('refreshes:network:192.0.2.0/24', OF_NETWORK, OF_NETWORK.burst - 1)
  const [first, second] = [await program(), await program()]
  granted(await first('192.0.2.1'))
  expect(await second('192.0.2.200')).toMatchObject({ refusal: 'rate_limited' })
  granted(await second('198.51.100.1'))
})
