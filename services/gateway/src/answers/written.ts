import type { ServerResponse } from 'node:http'

/** Resolves when nothing of an answer waits in this process any more: what the kernel has comes to the client whatever becomes of us. */
export async function written(raw: ServerResponse): Promise<void> {
  if (raw.writableLength === 0 || raw.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  raw.once('close', resolve)
  raw.write('', () => resolve())
  await promise
  raw.off('close', resolve)
}
