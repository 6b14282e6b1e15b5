import { listings } from '@callboard/client'
import type { EndpointSample } from '@callboard/contract'
import { issueOf, jsonIn } from './json-file.ts'

const Sample = listings.probe.input.shape.sample

/** The sample of a JSON file. @throws Usage */
export function sampleIn(file: string): EndpointSample | undefined {
  const parsed = Sample.safeParse(jsonIn(file))
  if (parsed.success) return parsed.data
  throw issueOf(file, parsed.error)
}
