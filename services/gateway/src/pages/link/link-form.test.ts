import { describe, expect, test } from 'vitest'
import { verdictOf } from './link-form.ts'

const form = (text: string) => verdictOf(new URLSearchParams(text))

describe('verdictOf', () => {
  test('default: an approval carries what was ticked', () => {
    const filled = 'decision=approve&scopes=mcp:call&scopes=router.use&router_allowance_usd=2.50&trust_device=true'
    expect(form(filled)).toEqual({
      verdict: 'approve',
      scopes: ['mcp:call', 'router.use'],
      routerAllowanceUsd: 2.5,
      trustDevice: true,
    })
  })

  test('behavior: trust needs its box, and an allowance needs the scope that spends it', () => {
    expect(form('decision=approve&scopes=mcp:call&router_allowance_usd=nonsense')).toMatchObject({
      routerAllowanceUsd: 0,
      trustDevice: false,
    })
  })

  test('behavior: a denial needs nothing else', () => {
    expect(form('decision=deny&scopes=nonsense&router_allowance_usd=-1')).toEqual({ verdict: 'deny' })
  })

  test.each(['', 'decision=', 'decision=maybe', 'scopes=mcp:call'])('error: %j decides nothing', (text) => {
    expect(form(text)).toBeUndefined()
  })

  test.each<readonly [what: string, form: string, field: string]>([
    ['no scope', 'decision=approve', 'scopes'],
    ['an unknown scope', 'decision=approve&scopes=mcp:call&scopes=root', 'scopes'],
    ...['', '1000.01', '1001', '-1', '1e3', '0x10', '1,5', '0.001', 'NaN', ' 1'].map(
      (usd) =>
        [
          `an allowance of "${usd}"`,
          `decision=approve&scopes=router.use&router_allowance_usd=${encodeURIComponent(usd)}`,
          'allowance',
        ] as const,
    ),
  ])('error: %s is reported, and what was filled in is kept', (_what, text, field) => {
    expect(form(text)).toMatchObject({ problems: [{ field }] })
  })
})
