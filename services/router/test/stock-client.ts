import { expect } from 'vitest'
import { type SoldModel, sold } from './models-file.ts'

/** A model with upstreams of both shapes, and one for each shape with upstreams of only that one. */
export const MODELS = { both: 'small-ok', openai: 'small-of-openai', anthropic: 'small-of-anthropic' } as const

export const soldModels: readonly SoldModel[] = [
  sold('small', 'ok'),
  { ...sold('small', 'ok'), id: MODELS.openai, shape: 'openai' },
  { ...sold('small', 'ok'), id: MODELS.anthropic, shape: 'anthropic' },
]

/** The error with which a client's call is refused. */
export async function errorOf<One extends Error>(
  call: PromiseLike<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the classes of errors take what their packages give them
  Class: abstract new (...args: any[]) => One,
): Promise<One> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Class)
  return error as One
}

/** All items of an iteration. */
export async function allOf<One>(stream: AsyncIterable<One>): Promise<One[]> {
  const ones: One[] = []
  for await (const one of stream) ones.push(one)
  return ones
}

/** One point, as a PNG. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
