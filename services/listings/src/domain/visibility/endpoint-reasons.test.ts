import { expect, test } from 'vitest'
import { endpointReasons, type WatchedEndpoint } from './endpoint-reasons.ts'

const url = 'https://api.example/quote'
const watched = (more: Partial<WatchedEndpoint> = {}): WatchedEndpoint => ({
  ...{ method: 'GET', url, state: null, lastCheckedAt: null, nextDueAt: '2026-11-20T12:05:00.000Z' },
  ...more,
})

test('each endpoint has its problem, its fix, and the time of its next check', () => {
  const other = { method: 'POST', url, problem: 'It answered 500.' } as const
  expect(endpointReasons([other, { method: 'GET', url }], [watched()])).toEqual([
    {
      ...{ code: 'no_payable_endpoint', message: 'It answered 500.', deadline: null },
      ...{ endpoint: { method: 'POST', url }, mend: expect.stringContaining('402') },
    },
    {
      ...{ code: 'no_payable_endpoint', message: 'No probe has read its offer yet.' },
      ...{ deadline: '2026-11-20T12:05:00.000Z', endpoint: { method: 'GET', url } },
      mend: expect.stringContaining('402'),
    },
  ])
})

test('an endpoint is identified by its method and URL, so another’s schedule is not its own', () => {
  const others = [watched({ url: 'https://api.example/other' }), watched({ method: 'POST' })]
  expect(endpointReasons([{ method: 'GET', url }], others)).toMatchObject([{ deadline: null }])
  const due = '2026-11-20T12:06:00.000Z'
  expect(endpointReasons([{ method: 'GET', url }], [...others, watched({ nextDueAt: due })])).toMatchObject([
    { deadline: due },
  ])
})
