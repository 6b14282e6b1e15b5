import { expect, test } from 'vitest'
import { SingleFlight } from './single-flight.ts'

test('concurrent calls for a key share one run, and a later call starts a new one', async () => {
  const flights = new SingleFlight<number>()
  const first = Promise.withResolvers<number>()
  let runs = 0
  const work = () => {
    runs += 1
    return runs === 1 ? first.promise : Promise.resolve(2)
  }
  const joined = [flights.run('a', work), flights.run('a', work)]
  first.resolve(1)
  expect(await Promise.all(joined)).toEqual([1, 1])
  expect(await flights.run('a', work)).toBe(2)
})

test('keys run independently, and an error ends the run for every caller of its key', async () => {
  const flights = new SingleFlight<string>()
  const failing = () => Promise.reject(new Error('lost'))
  const [first, second] = [flights.run('a', failing), flights.run('a', async () => 'unused')]
  await expect(first).rejects.toThrow('lost')
  await expect(second).rejects.toThrow('lost')
  expect(await flights.run('b', async () => 'b')).toBe('b')
  expect(await flights.run('a', async () => 'again')).toBe('again')
})
