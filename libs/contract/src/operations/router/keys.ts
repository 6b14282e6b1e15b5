import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { freshSignatureRequired, keyLimit, notFound, unauthorized } from '../../refusals.ts'
import { shownText } from '../../schemas/shown-text.ts'
import { Timestamp, Usd } from '../../schemas/words.ts'
import { KeySource } from './links.ts'

/** How an owner tells keys apart. */
const KeyLabel = shownText('line', 80).min(1)

/** What a key may spend per UTC day, from any source: decimal USD, exact to the nano-USD. */
const DailyLimitUsd = z
  .string()
  .regex(/^(0|[1-9]\d{0,6})(\.\d{1,9})?$/, 'must be a decimal USD amount below 10 million with at most 9 decimals')

/** A key as its owner's list shows it; the secret is shown once, at creation. */
const RouterKeyRecord = z.object({
  id: z.string(),
  label: z.string(),
  source: KeySource,
  /** The secret's first characters. */
  prefix: z.string(),
  /** What it may spend per UTC day; null where only its source limits it. */
  dailyLimitUsd: Usd.nullable(),
  createdAt: Timestamp,
  /** To the minute; null if it was never used. */
  lastUsedAt: Timestamp.nullable(),
})

const session = { auth: 'session', limit: 'manage', stability: 'internal' } as const

export const listKeys = operation({
  id: 'router.listKeys',
  summary: 'The live Router keys that the owner created; those of linked agents end with their links',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/router/keys', ...session, ok: 200 },
  input: z.strictObject({}),
  output: z.object({ keys: z.array(RouterKeyRecord) }),
  errors: [unauthorized],
})

export const createKey = operation({
  id: 'router.createKey',
  summary: 'Create a Router key; only this answer has its secret',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/router/keys', ...session, limit: 'link', ok: 201 },
  input: z.strictObject({
    label: KeyLabel,
    source: KeySource.default('compute'),
    dailyLimitUsd: DailyLimitUsd.optional(),
  }),
  output: z.object({
    id: z.string(),
    label: z.string(),
    source: KeySource,
    dailyLimitUsd: Usd.nullable(),
    key: z.string(),
    baseUrl: z.url(),
    createdAt: Timestamp,
  }),
  errors: [unauthorized, freshSignatureRequired, keyLimit],
})

export const deleteKey = operation({
  id: 'router.deleteKey',
  summary: 'End one Router key; once this is answered, no part accepts it',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/router/keys/:id', ...session, ok: 204 },
  input: z.strictObject({ id: z.string().min(1).max(64) }),
  output: z.undefined(),
  errors: [unauthorized, notFound],
})

nameSchemas({ RouterKeyRecord })
