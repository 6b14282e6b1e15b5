import { modules } from '@callboard/all'
import { stale } from '@callboard/tools/generated-files'
import { describe, expect, test } from 'vitest'
import { generated } from '../src/generated.ts'
import { targetOf } from '../src/target.ts'

test('every generated file is up to date with the declarations (npm run helm:gen)', () => {
  expect(stale(generated())).toEqual([])
})

describe('targetOf', () => {
  const targets = new Map(modules.map((module) => [module.name, targetOf(module)]))

  test('default: settings that a cluster must have are required, even where one process could do without', () => {
    const settings = targets.get('x402-facilitator')?.settings
    for (const name of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL', 'RPC_URLS', 'FACILITATOR_KEYS', 'BASE_URL']) {
      expect(settings?.[name]?.required, name).toBe(true)
    }
    expect(settings?.SETTLE_WAIT_MS).toEqual({ required: false, secret: false })
  })

  test('behavior: secrets are distinguished from other settings', () => {
    const secrets = [...targets.values()].flatMap(({ settings }) =>
      Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name] : [])),
    )
    expect(secrets).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'NATS_URL', 'FACILITATOR_KEYS', 'LINK_SIGNING_KEY']),
    )
    expect(secrets).not.toContain('BASE_URL')
  })

  test('behavior: only the prober and the router reach the internet, and only the gateway is an edge', () => {
    const named = (wanted: (target: ReturnType<typeof targetOf>) => boolean) =>
      [...targets].filter(([, target]) => wanted(target)).map(([name]) => name)
    expect(named(({ egress }) => egress.includes('internet'))).toEqual(['liveness-prober', 'router'])
    expect(named(({ edge }) => edge)).toEqual(['gateway'])
  })
})
