import { BusFault, type BusFaultKind } from '@callboard/bus'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { Refused } from '../../answers/errors.ts'
import { errorPage } from './error-page.ts'

const fault = (kind: BusFaultKind) => new BusFault(kind, 'rpc.agents.unlink', kind)
const textOf = (error: unknown, form?: unknown) => renderToString(errorPage(error, form)?.body as VNode)

describe('what a page says of a form that was not answered', () => {
  const form = new URLSearchParams()

  test.each(['no_responder', 'overloaded'] as const)('%s: nothing was changed, for no service began it', (kind) => {
    expect(textOf(fault(kind), form)).toContain('Nothing was changed.')
  })

  test.each(['disconnected', 'unavailable', 'reader_lost', 'lost', 'deadline'] as const)(
    '%s: whether anything was changed is not known',
    (kind) => {
      expect(textOf(fault(kind), form)).toContain('Whether anything was changed is not known.')
      expect(textOf(fault(kind), form)).not.toContain('Nothing was changed')
    },
  )

  test('a service that says that another is away may have done its own part', () => {
    const away = new Refused({ refusal: 'temporarily_unavailable', message: 'The Router cannot be reached now.' })
    expect(textOf(away, form)).toContain('Whether anything was changed is not known.')
  })

  test.each(['invalid_request', 'origin_mismatch', 'rate_limited'])('%s: nothing was changed', (refusal) => {
    expect(textOf(new Refused({ refusal }), form)).toContain('Nothing was changed.')
  })
})

test('a page that was only read changed nothing, nor did a form that was not taken in', () => {
  for (const kind of ['unavailable', 'deadline'] as const) {
    expect(textOf(fault(kind))).toContain('Nothing was changed.')
  }
})
