import { agents, type Caller } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { z } from 'zod'

const { createRelay, openRelay, sealRelay, readRelay, readBackup, storeBackup } = agents

/** A request to an operation below. */
export interface Asked {
  readonly operation: string
  readonly caller: Caller
  readonly input: Readonly<Record<string, unknown>>
}

export const KEY = `${'Zm9v'.repeat(10)}Zm8`
export const SEALED = { version: 1, enc: KEY, ciphertext: 'c2VhbGVkIGJ5IG5vYm9keSBhdCBhbGw' } as const
export const ETAG = '"the-tag"'
const NOW = '2026-11-22T00:00:00.000Z'

/** Backups and relays as the edge sees them: every operation answers, and its requests are recorded. */
export function backupsStandIn() {
  const asked: Asked[] = []
  const note = (operation: string, input: object, caller: Caller) =>
    asked.push({ operation, caller, input: { ...input } })
  const module = service({
    name: 'agents',
    config: z.object({}),
    operations: { createRelay, openRelay, sealRelay, readRelay, readBackup, storeBackup },
    serves: {
      createRelay: async (input, ctx) => {
        note('createRelay', input, ctx.caller)
        return { expiresAt: NOW }
      },
      openRelay: async (input, ctx) => {
        note('openRelay', input, ctx.caller)
        return {
          ...{ publicKey: KEY, claimed: { device: 'laptop', purpose: 'restore' as const } },
          ...{ seen: { requester: input.requester, createdAt: NOW }, expiresAt: NOW, sealed: false },
        }
      },
      sealRelay: async (input, ctx) => {
        note('sealRelay', input, ctx.caller)
        return {}
      },
      readRelay: async (input, ctx) => {
        note('readRelay', input, ctx.caller)
        return { status: 'sealed' as const, result: SEALED }
      },
      readBackup: async (input, ctx) => {
        note('readBackup', input, ctx.caller)
        return { ...SEALED, recipient: KEY, etag: ETAG }
      },
      storeBackup: async (input, ctx) => {
        note('storeBackup', input, ctx.caller)
        const backup = { device: 'laptop', version: 1 as const, recipient: KEY, bytes: 23, sha256: KEY }
        return { backup: { ...backup, storedBy: `agent_0x${'0'.repeat(40)}`, storedAt: NOW }, etag: ETAG }
      },
    },
  })
  return { module, asked }
}
