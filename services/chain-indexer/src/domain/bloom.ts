import type { Hex } from '@callboard/values'
import { keccak256 } from 'viem/utils'
import type { LogSource } from './log-source.ts'

/** Tests a block's `logsBloom` for logs that we read: false means certainly none, true means possibly. */
export type BloomTest = (logsBloom: Hex) => boolean

const BYTES = 256

/**
 * The test for logs of the sources. A bloom that is all zero gives false, even on chains that never fill it: there it
 * cannot contradict an empty answer.
 * @source Ethereum yellow paper, 4.3.1: three 11-bit numbers from the first six bytes of the keccak of each item
 */
export function bloomTest(sources: readonly LogSource[]): BloomTest {
  const asked = sources.map(({ emitter, topics }) => ({ emitter: bitsOf(emitter), topics: topics.map(bitsOf) }))
  return (logsBloom) => {
    const holds = (bits: readonly number[]) => bits.every((bit) => bitIsSet(logsBloom, bit))
    return asked.some(({ emitter, topics }) => holds(emitter) && topics.some(holds))
  }
}

/** The three bits that an item sets. */
function bitsOf(item: Hex): readonly number[] {
  const hash = keccak256(item, 'bytes')
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff)
}

/** Bit 0 is the lowest bit of the last byte. */
function bitIsSet(logsBloom: Hex, bit: number): boolean {
  const at = 2 + 2 * (BYTES - 1 - (bit >> 3))
  return ((Number.parseInt(logsBloom.slice(at, at + 2), 16) >> (bit & 7)) & 1) === 1
}
