/** The part of autocannon 9 that the benchmarks use. */
declare module 'autocannon' {
  interface Result {
    readonly requests: { readonly total: number }
    readonly latency: { readonly p50: number; readonly p97_5: number; readonly p99: number }
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration: number
    headers?: Record<string, string>
  }): Promise<Result>
}
