import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import {
  notFound,
  rateLimited,
  relayCodeTaken,
  relayOfAnother,
  relaySealed,
  relayUnopened,
  unauthorized,
} from '../../refusals.ts'
import { AgentLabel } from '../../schemas/agent.ts'
import { Requester } from '../../schemas/requester.ts'
import { Sealed, X25519Key } from '../../schemas/sealed.ts'
import { Timestamp } from '../../schemas/words.ts'

/**
 * What a program asks of the owner's browser: the public key that backups are encrypted to, or the content of a
 * device's backup.
 */
export const RelayPurpose = z.enum(['backup-key', 'restore'])
export type RelayPurpose = z.output<typeof RelayPurpose>

/** Anyone who knows the code may read the result: at least 128 random bits from the program (docs/backups.md). */
const RelayCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,128}$/, 'must be 22 to 128 letters, digits, hyphens and underscores')

const PATH = '/api/agents/backup-relays'
const owners = { auth: 'session', stability: 'internal' } as const

export const createRelay = operation({
  id: 'agents.createRelay',
  summary: 'Ask an owner’s browser for a result sealed to a public key; the relay lives ten minutes',
  timeoutMs: 5_000,
  http: { method: 'POST', path: PATH, auth: 'none', limit: 'relay', ok: 201, stability: 'internal', requester: true },
  input: z.strictObject({
    publicKey: X25519Key,
    code: RelayCode,
    device: AgentLabel,
    purpose: RelayPurpose,
    requester: Requester,
  }),
  output: z.object({ expiresAt: Timestamp }),
  errors: [relayCodeTaken],
})

export const openRelay = operation({
  id: 'agents.openRelay',
  summary: 'Bind a relay to the owner; only this owner can answer it from then on',
  timeoutMs: 5_000,
  http: { method: 'GET', path: `${PATH}/:code`, ...owners, limit: 'manage', ok: 200, changes: true, requester: true },
  input: z.strictObject({ code: RelayCode, requester: Requester }),
  output: z.object({
    publicKey: X25519Key,
    claimed: z.object({ device: AgentLabel, purpose: RelayPurpose }),
    seen: z.object({ requester: Requester, createdAt: Timestamp }),
    expiresAt: Timestamp,
    sealed: z.boolean(),
  }),
  errors: [unauthorized, notFound, relayOfAnother, rateLimited],
})

export const sealRelay = operation({
  id: 'agents.sealRelay',
  summary: 'Answer a relay with a result sealed to its public key, once',
  timeoutMs: 5_000,
  http: { method: 'PUT', path: `${PATH}/:code`, ...owners, limit: 'manage', ok: 204, requester: true },
  input: z.strictObject({ code: RelayCode, ...Sealed.shape, requester: Requester }),
  output: z.object({}),
  errors: [unauthorized, notFound, relayUnopened, relayOfAnother, relaySealed, rateLimited],
})

const RelayPending = z.object({ status: z.literal('pending'), opened: z.boolean(), expiresAt: Timestamp })
const RelayAnswered = z.object({ status: z.literal('sealed'), result: Sealed })

export const readRelay = operation({
  id: 'agents.readRelay',
  summary: 'Whether a relay is answered; its sealed result, once',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: `${PATH}/:code/result`,
    auth: 'none',
    limit: 'token',
    ok: 200,
    stability: 'internal',
    changes: true,
    requester: true,
  },
  input: z.strictObject({ code: RelayCode, requester: Requester }),
  output: z.discriminatedUnion('status', [RelayPending, RelayAnswered]),
  errors: [notFound, rateLimited],
})

nameSchemas({ RelayPurpose, RelayCode, RelayPending, RelayAnswered })
