import { expect, test } from 'vitest'
import { settingsOf } from './processes.ts'

const names = { 'postgres:5432': '127.0.0.1:1001', 'nats:4222': '127.0.0.1:1002' }
const readSecret = (name: string, key: string) => `${name}/${key}`

test('settings come from values and Secrets, and cluster names become local addresses', () => {
  const env = [
    { name: 'TARGET', value: 'oauth' },
    { name: 'DATABASE_URL', value: 'postgres://callboard:s3cret@postgres:5432/callboard' },
    { name: 'NATS_URL', value: 'nats://nats:4222' },
    { name: 'BASE_URL', value: 'https://callboard.example' },
    { name: 'OTHER_URL', value: 'http://nats:8222/healthz' },
    { name: 'LINK_SIGNING_KEY', valueFrom: { secretKeyRef: { name: 'callboard', key: 'k' } } },
  ]
  expect(settingsOf({ env }, readSecret, names)).toEqual({
    TARGET: 'oauth',
    DATABASE_URL: 'postgres://callboard:s3cret@127.0.0.1:1001/callboard',
    NATS_URL: 'nats://127.0.0.1:1002',
    BASE_URL: 'https://callboard.example',
    OTHER_URL: 'http://nats:8222/healthz',
    LINK_SIGNING_KEY: 'callboard/k',
  })
})

test('a setting whose source is not a Secret is named', () => {
  const container = { env: [{ name: 'POD_IP', valueFrom: {} }] }
  expect(() => settingsOf(container, readSecret, names)).toThrow('POD_IP')
})
