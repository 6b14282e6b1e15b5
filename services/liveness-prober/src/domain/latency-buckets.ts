/** Latencies are counted in logarithmic buckets: bucket i holds [1.1^i, 1.1^(i+1)) ms, the last one all above 8.6 s. */
export const BUCKETS = 96
const RATIO = 1.1

/** The bucket of a latency; latencies below 1 ms are in the first. */
export const bucketOf = (latencyMs: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.floor(Math.log(latencyMs) / Math.log(RATIO))))

/**
 * The latency that a share of the counted ones did not exceed, in whole milliseconds: the geometric middle of its
 * bucket, so within 5 %. 0 if nothing was counted.
 * @param share 0 to 1
 */
export function percentile(counts: readonly number[], share: number): number {
  const rank = share * counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const [bucket, count] of counts.entries()) {
    seen += count
    if (count > 0 && seen >= rank) return Math.round(RATIO ** (bucket + 0.5))
  }
  return 0
}
