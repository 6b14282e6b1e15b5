import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectorOf } from './telemetry.ts'

test('collectorOf: the collector is that of the setting, or of its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-collector-'))
  const file = join(folder, 'endpoint')
  writeFileSync(file, 'http://collector:4318\n')
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318' })).toBe('http://other:4318')
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT_FILE: file })).toBe('http://collector:4318')
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
  rmSync(folder, { recursive: true })
  expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT_FILE: file })).toBeUndefined()
})
