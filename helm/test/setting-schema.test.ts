import { describe, expect, test } from 'vitest'
import { findHelm, MINIMAL } from '../src/chart.ts'
import { refusal, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

describe.skipIf(!helm)('a setting that no process would start with is refused before installation', () => {
  test.each<[setting: string, value: unknown]>([
    ['LOG_LEVEL', 'loud'],
    ['BASE_URL', 'notaurl'],
    ['BASE_URL', ''],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['DATABASE_POOL_SIZE', 1],
    ['DATABASE_POOL_SIZE', 8.5],
    ['DATABASE_POOL_SIZE', 'many'],
    ['SHUTDOWN_DELAY_MS', -1],
    ['DECODE_PAY_TO', 0x11],
    ['DECODE_PAY_TO', '0x11'],
  ])('%s: %j is refused', (setting, value) => {
    const words = refusal(program, MINIMAL, { settings: { [setting]: value } })
    expect(words).toMatch(/don't meet the specifications of the schema/)
    expect(words).toContain(setting)
  })

  test.each<[setting: string, value: unknown]>([
    ['LOG_LEVEL', 'debug'],
    ['BASE_URL', 'https://callboard.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ''],
    ['DATABASE_POOL_SIZE', 20],
    ['DATABASE_POOL_SIZE', '20'],
    ['SHUTDOWN_DELAY_MS', 5e3],
    ['DECODE_PAY_TO', `0x${'1'.repeat(40)}`],
    ['DUST_USD', 0.01],
    ['PROBE_EXTRA_PORTS', 8443],
    ['PROBE_EXTRA_PORTS', '8443,9443'],
  ])('%s: %j is accepted', (setting, value) => {
    expect(render(program, MINIMAL, { settings: { [setting]: value } }).length).toBeGreaterThan(0)
  })
})
