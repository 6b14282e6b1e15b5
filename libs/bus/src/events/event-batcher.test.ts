import type { EventEnvelope } from '@callboard/contract'
import { expect, test } from 'vitest'
import { EventBatcher } from './event-batcher.ts'

const envelope = (id: string): EventEnvelope => ({
  ...{ id, name: 'thing.happened.v1', key: id, sequence: 1, source: 'test', occurredAt: '2026-11-23T00:00:00.000Z' },
  data: {},
})

/** A batcher that fails batches with any of these, and a log of what it did, in order. */
function failing(bad: readonly string[]) {
  const trail: string[] = []
  const batcher = new EventBatcher({
    lingerMs: 0,
    handle: async (events) => {
      const ids = events.map(({ id }) => id)
      if (ids.some((id) => bad.includes(id))) throw new Error('bad')
      trail.push(ids.join('+'))
    },
  })
  const add = (key: string, id: string, alone: () => Promise<void> = async () => void trail.push(id)) =>
    batcher.add({ key, envelope: envelope(id), alone })
  return { batcher, trail, add }
}

test('behavior: each event of a failed batch is handled individually, in the order of its key', async () => {
  const { trail, add } = failing(['a2'])
  expect(await Promise.all([add('a', 'a1'), add('a', 'a2'), add('b', 'b1'), add('a', 'a3')])).toEqual(
    Array.from({ length: 4 }, () => false),
  )
  expect(trail.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  expect(trail).toContain('b1')
})

test('behavior: later events wait for an individual retry of their key; other keys go on', async () => {
  const { trail, add } = failing(['a1'])
  const tried = Promise.withResolvers<void>()
  const first = add('a', 'a1', async () => {
    await tried.promise
    trail.push('a1')
  })
  expect(await add('b', 'b1')).toBe(false)
  const later = [add('a', 'a2'), add('c', 'c1'), add('d', 'd1')]
  expect(await Promise.all(later.slice(1))).toEqual([true, true])
  expect(trail).toEqual(['b1', 'c1+d1'])
  tried.resolve()
  await Promise.all([first, ...later])
  expect(trail).toEqual(['b1', 'c1+d1', 'a1', 'a2'])
})

test('behavior: an event to be handled individually waits for the batch that holds its key', async () => {
  const release = Promise.withResolvers<void>()
  const trail: string[] = []
  const batcher = new EventBatcher({
    lingerMs: 0,
    handle: async () => {
      trail.push('batch begins')
      await release.promise
      trail.push('batch ends')
    },
  })
  const alone = async () => void trail.push('alone')
  const batch = ['1', '2'].map((id) => batcher.add({ key: id, envelope: envelope(id), alone }))
  await new Promise((resolve) => setImmediate(resolve))
  const other = batcher.alone('1', alone)
  release.resolve()
  await Promise.all([...batch, other])
  expect(trail).toEqual(['batch begins', 'batch ends', 'alone'])
})

test('error: an individually handled event that fails rejects only its own sender', async () => {
  const { add } = failing(['a'])
  const failure = add('a', 'a', () => Promise.reject(new Error('gone')))
  const other = add('b', 'b')
  await expect(failure).rejects.toThrow('gone')
  expect(await other).toBe(false)
})
