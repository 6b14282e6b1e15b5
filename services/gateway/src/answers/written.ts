import type { ServerResponse } from 'node:http'

/** Resolves once no part of an answer waits in this process; the kernel delivers the rest even if this process dies. */
export async function written(raw: ServerResponse): Promise<void> {
  if (raw.writableLength === 0 || raw.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  raw.once('close', resolve)
  raw.write('', () => resolve())
  await promise
  raw.off('close', resolve)
}
