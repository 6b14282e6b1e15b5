import { memoryCounters } from '@callboard/store'
import { fakeClock } from '@callboard/testkit'
import { isoTime, MINUTE_MS, SECOND_MS } from '@callboard/values'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { signedIn, signInExtension } from './sign-in-with-x.ts'

const CHAIN = 'eip155:8453'
const account = privateKeyToAccount(`0x${'5a'.repeat(32)}`)

/** A service with its own clock, and a wallet's sign-in there whose message ends at a given time after its offer. */
async function signIn(endsAfterMs: number) {
  const clock = fakeClock()
  const ctx = { clock, counters: memoryCounters(clock), config: { BASE_URL: 'https://callboard.example' } } as never
  const { info, supportedChains } = await signInExtension(ctx, [CHAIN])
  const expirationTime = isoTime(clock.now() + endsAfterMs)
  const complete = { ...info, ...supportedChains[0], expirationTime }
  const header = encodeSIWxHeader(await createSIWxPayload(complete as never, account, 'https://callboard.example/v1'))
  return { clock, use: () => signedIn(ctx, header) }
}

test.each([
  ['what its message says, if that is earlier', 30 * SECOND_MS, 30 * SECOND_MS],
  ['its challenge, whatever its message says', 60 * MINUTE_MS, 5 * MINUTE_MS],
])('a sign-in that was used ends with %s', async (_, endsAfterMs, lifeMs) => {
  const { clock, use } = await signIn(endsAfterMs)
  expect(await use()).toEqual({ wallet: account.address })
  clock.advance(lifeMs - 1)
  expect(await use()).toEqual({ wallet: account.address })
  clock.advance(1)
  expect(await use()).toMatchObject({ refusal: 'unauthorized' })
})
