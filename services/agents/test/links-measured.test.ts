import { agents } from '@callboard/contract'
import { granted } from '@callboard/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const metrics = async () => (await fetch(`http://127.0.0.1:${stage.services.adminPort}/metrics`)).text()

test('an approval is measured from the request to the owner’s decision; a denial is not measured', async () => {
  const owner = newOwner()
  const { user_code } = await stage.ask(2)
  stage.clock.advance(90_000)
  granted(await stage.approve(user_code, owner))
  const denied = await stage.ask(3)
  granted(
    await stage.call(
      agents.decideLink,
      {
        userCode: denied.user_code,
        requester: { address: '192.0.2.9', userAgent: null },
        decision: { verdict: 'deny' },
      },
      { caller: owner },
    ),
  )
  const text = await metrics()
  expect(text).toMatch(/^callboard_link_approval_seconds_sum\{approved_by="owner"\} 90$/m)
  expect(text).toMatch(/^callboard_link_approval_seconds_count\{approved_by="owner"\} 1$/m)
  expect(text).toMatch(/^callboard_link_approval_seconds_count\{approved_by="trusted_device"\} 0$/m)
})

test('live links are counted; an ended one is not', async () => {
  const before = Number(/^callboard_links\{state="live"\} (\d+)$/m.exec(await metrics())?.[1])
  const owner = newOwner()
  const [first] = [await stage.link(4, owner), await stage.link(5, owner)]
  expect(await metrics()).toMatch(new RegExp(`^callboard_links\\{state="live"\\} ${before + 2}$`, 'm'))
  granted(await stage.call(agents.unlinkSelf, {}, { caller: first.caller }))
  const text = await metrics()
  expect(text).toMatch(new RegExp(`^callboard_links\\{state="live"\\} ${before + 1}$`, 'm'))
  expect(text).toMatch(/^callboard_links\{state="approving"\} 0$/m)
})
