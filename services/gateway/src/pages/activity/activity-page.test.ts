import type { AddressActivity } from '@callboard/contract'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { type Activity, activityPage } from './activity-page.ts'

const none: Activity = { asked: { range: '30d' }, sides: undefined, items: [], nextCursor: undefined }
const words = (more: Partial<Activity>) => renderToString(activityPage({ ...none, ...more }, 0).body as never)

const side = (calls: number, transfers: number): AddressActivity['totals']['paid'] => ({
  ...{ calls, volumeUsd: '0.5', surviving: { count: calls, volumeUsd: '0.5' } },
  transfers: { count: transfers, volumeUsd: '7' },
})

test('the form keeps what was asked, as text', () => {
  const shown = words({ asked: { range: '7d', listing: '"><b>', address: '0xAA' } })
  expect(shown).toContain('value="&quot;>&lt;b>"')
  expect(shown).toContain('value="0xAA"')
  expect(shown).toMatch(/<option[^>]*value="7d"[^>]*selected|<option[^>]*selected[^>]*value="7d"/)
  expect(shown).toContain('Payments of the last 7 days')
})

test('the next page asks for the same', () => {
  const shown = words({ asked: { range: '24h', listing: 'a&b' }, nextCursor: 'next' })
  expect(shown).toContain('href="/activity?range=24h&amp;listing=a%26b&amp;cursor=next"')
  expect(words({})).not.toContain('Show older payments')
})

test('an address shows both of its sides, with transfers apart', () => {
  const shown = words({ sides: { paid: side(2, 0), received: side(0, 3) } })
  expect(shown).toContain('It paid</dt><dd>2 calls for 0.5 USD</dd>')
  expect(shown).toContain('none; beside these 3 for 7 USD that were no price of a listing')
})
