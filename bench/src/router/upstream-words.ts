/** The names of the figure's models at the upstream and at every gateway. */
export const MODELS = { plain: 'bench-plain', paced: 'bench-paced', silent: 'bench-silent' } as const

/** The frames of a paced stream, and the time between them. */
export const FRAMES = 64
export const PACE_MS = 20

/** Messages of the upstream to the figure. Moments are the kernel's monotonic clock in nanoseconds, shared by all. */
export type Said =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'asked'; readonly call: string }
  | { readonly kind: 'aborted'; readonly call: string; readonly at: string }

/** A watched call has its name in its prompt. */
export const callOf = (name: string): string => `call-${name};`
export const CALL = /call-(\w+);/

const STAMP = /@(\d+)@/g

/** The moment when a frame left, as text that no gateway changes. */
export const stampOf = (nanoseconds: bigint): string => `@${nanoseconds}@`

/**
 * Extracts the moments from a piece of a stream.
 * @returns them, and the end of the piece in which another may have begun
 */
export function stampsIn(piece: string): { readonly sent: readonly bigint[]; readonly rest: string } {
  let end = 0
  const sent: bigint[] = []
  for (const found of piece.matchAll(STAMP)) {
    sent.push(BigInt(found[1] ?? 0))
    end = found.index + found[0].length
  }
  const begun = piece.indexOf('@', end)
  return { sent, rest: begun < 0 ? '' : piece.slice(begun) }
}
