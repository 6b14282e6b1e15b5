import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { backupLimit, noDevice, notFound, preconditionFailed, rateLimited, unauthorized } from '../../refusals.ts'
import { AgentClientId, AgentLabel } from '../../schemas/agent.ts'
import { Requester } from '../../schemas/requester.ts'
import { Sealed, Sha256 } from '../../schemas/sealed.ts'
import { Timestamp } from '../../schemas/words.ts'

/** The most devices of one owner that may have a backup. */
export const MAX_BACKUPS = 50

/** The stored backup of one device, encrypted to a key that only its owner can derive (docs/backups.md). */
export const BackupEnvelope = z.strictObject({
  ...Sealed.shape,
  /** SHA-256 of the public key that it is encrypted to. The service never has that key: it cannot make envelopes. */
  recipient: Sha256,
})
export type BackupEnvelope = z.output<typeof BackupEnvelope>

/** What can be shown of a backup without decrypting it. */
export const BackupMetadata = z.object({
  device: AgentLabel,
  version: z.literal(1),
  recipient: Sha256,
  /** Length of the ciphertext. */
  bytes: z.number().int().positive(),
  /** The hash of the ciphertext. */
  sha256: Sha256,
  /** The agent that stored it. */
  storedBy: AgentClientId,
  storedAt: Timestamp,
})
export type BackupMetadata = z.output<typeof BackupMetadata>

/** A list of entity tags, in header syntax. */
const EntityTags = z.string().max(1_024)
const owners = { auth: 'session', stability: 'internal' } as const
const ONE = '/api/agents/devices/:device/backup'

export const listBackups = operation({
  id: 'agents.listBackups',
  summary: 'The owner’s devices that have an encrypted backup',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/backups', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({ backups: z.array(BackupMetadata) }),
  errors: [unauthorized],
})

export const readBackup = operation({
  id: 'agents.readBackup',
  summary: 'The encrypted backup of a device, as it was stored',
  timeoutMs: 5_000,
  http: { method: 'GET', path: ONE, ...owners, limit: 'read', ok: 200, entityTag: true },
  input: z.strictObject({ device: AgentLabel }),
  output: z.object({ ...BackupEnvelope.shape, etag: z.string() }),
  errors: [unauthorized, notFound],
})

export const deleteBackup = operation({
  id: 'agents.deleteBackup',
  summary: 'Delete the backup of a device; a repeated request is not an error',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: ONE, ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ device: AgentLabel }),
  output: z.object({}),
  errors: [unauthorized],
})

export const storeBackup = operation({
  id: 'agents.storeBackup',
  summary: 'Store the encrypted backup of the agent’s device, replacing the previous one',
  timeoutMs: 5_000,
  http: {
    method: 'PUT',
    path: '/api/agents/self/backup',
    auth: 'agent',
    stability: 'beta',
    limit: 'manage',
    ok: 200,
    entityTag: true,
    requester: true,
  },
  input: z.strictObject({
    ...BackupEnvelope.shape,
    /** Absent where the caller is not the gateway. */
    requester: Requester.optional(),
    /** The request's `If-Match`: the backup is stored only if it replaces the one with this tag. */
    ifMatch: EntityTags.optional(),
    /** The request's `If-None-Match`; with `*` the backup is stored only if there is none yet. */
    ifNoneMatch: z.literal('*').optional(),
  }),
  output: z.object({ backup: BackupMetadata, etag: z.string() }),
  errors: [unauthorized, noDevice, preconditionFailed, backupLimit, rateLimited],
})

nameSchemas({ BackupMetadata })
