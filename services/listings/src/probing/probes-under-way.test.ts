import { expect, test } from 'vitest'
import { MOST_OF_A_SITE, ProbesUnderWay } from './probes-under-way.ts'

const slow = () => Promise.withResolvers<string>()

test('rate_limited: a site cannot take more than its share of the prober, through any of its hosts', async () => {
  const probes = new ProbesUnderWay()
  const held = Array.from({ length: MOST_OF_A_SITE }, slow)
  const running = held.map(({ promise }, at) => probes.run(`https://h${at}.slow.example/x`, () => promise))
  expect(await probes.run('https://one-more.slow.example/', async () => 'sent')).toMatchObject({
    refusal: 'rate_limited',
    retryAfterSeconds: expect.any(Number),
  })
  expect(await probes.run('https://other.example/', async () => 'sent')).toBe('sent')
  held[0]?.resolve('answered')
  await running[0]
  expect(await probes.run('https://one-more.slow.example/', async () => 'sent')).toBe('sent')
  for (const { resolve } of held) resolve('answered')
  await Promise.all(running)
})

test('a probe that fails gives its place back', async () => {
  const probes = new ProbesUnderWay()
  for (let at = 0; at <= MOST_OF_A_SITE; at += 1) {
    const failing = probes.run('https://broken.example/', () => Promise.reject(new Error(`probe ${at}`)))
    await expect(failing).rejects.toThrow(`probe ${at}`)
  }
})
