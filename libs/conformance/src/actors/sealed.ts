import { randomBytes } from 'node:crypto'
import { type BackupEnvelope, agents as operations, type RelayPurpose, type Sealed } from '@callboard/contract'
import { accepted } from '../expectations/expectations.ts'
import type { Target } from '../target.ts'
import { type Agent, newAgent } from './agent.ts'
import { Client } from './client.ts'
import { newOwner, type Owner } from './owner.ts'
import { perTarget } from './per-target.ts'

export const BACKUP = '/api/agents/self/backup'
export const RELAYS = '/api/agents/backup-relays'
export const DEVICE = 'laptop'

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** An instance cannot tell sealed data from random bytes, so the suite needs no keys. */
export const someSealed = (): Sealed => ({ version: 1, enc: random(32), ciphertext: random(200) })

export const anEnvelope = (): BackupEnvelope => ({ ...someSealed(), recipient: random(32) })

/** An owner with an agent that stores backups of its device. */
export interface Keeper {
  readonly owner: Owner
  readonly agent: Agent
}

/** One keeper, shared by a run. */
export const keeperOf = perTarget(async (target): Promise<Keeper> => {
  const owner = await newOwner(target)
  return { owner, agent: await newAgent(target, owner, { label: 'keeper', device: DEVICE }) }
})

/** Stores a backup of the keeper’s device. */
export async function stored({ agent }: Keeper, envelope: BackupEnvelope = anEnvelope()) {
  const answer = await agent.api.put(BACKUP, envelope)
  const { backup } = accepted(operations.storeBackup, answer, operations.storeBackup.output.omit({ etag: true }))
  return { envelope, backup, etag: answer.headers.get('etag') ?? '' }
}

export const aRelay = (purpose: RelayPurpose = 'restore') => ({
  ...{ publicKey: random(32), code: random(32), device: DEVICE, purpose },
})

/** Creates a relay, as a program without credentials does. @returns its request, and the relay's path */
export async function newRelay(target: Target) {
  const asked = aRelay()
  accepted(operations.createRelay, await new Client(target.baseUrl).post(RELAYS, asked))
  return { asked, path: `${RELAYS}/${asked.code}` }
}
