import { LIMITS } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Config } from './config.ts'

test('the reports that one address may send in a day leave most of the day’s places to others', () => {
  const { SUPPORT_REPORTS_PER_DAY: ofAll } = Config.parse({
    BASE_URL: 'https://callboard.example',
    LINK_SIGNING_KEY: 'k'.repeat(32),
  })
  const { burst, perMinute } = LIMITS.report
  expect(burst + perMinute * 24 * 60).toBeLessThan(ofAll / 5)
})
