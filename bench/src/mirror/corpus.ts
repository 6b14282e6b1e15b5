/** The size of a run's corpus. One in 150 origins is large, and these have a sixth of all resources. */
export interface Size {
  readonly resources: number
  readonly origins: number
}

export const NIGHT: Size = { resources: 15_000, origins: 1_500 }
export const BRIEF: Size = { resources: 600, origins: 60 }

/** How an endpoint answers. `forbidden`: its origin's robots.txt allows no calls. */
export type Kind = 'payable' | 'elsewhere' | 'free' | 'mpp' | 'missing' | 'forbidden'

/** One endpoint of the corpus. */
export interface Endpoint {
  readonly origin: number
  readonly path: string
  readonly kind: Kind
}

const LARGE_ONES = 150
const SHARE_OF_LARGE = 6
const FORBIDDING = 50
/** By position among twenty endpoints of an origin; the others can be paid. */
const REFUSED: Readonly<Record<number, Kind>> = { 3: 'elsewhere', 8: 'free', 13: 'mpp', 18: 'missing' }
const TURN = 20

/** Loopback, with a registrable domain for each, like origins of third parties. */
export const hostOf = (origin: number): string => `mirror-${origin}.localhost`
/** The source's own. */
export const SOURCE_HOST = 'source.localhost'

/** The endpoints in the source's order: origin after origin, as in catalogues of hosts. */
export function corpus({ resources, origins }: Size): Endpoint[] {
  const large = Math.ceil(origins / LARGE_ONES)
  const ofLarge = Math.floor(resources / SHARE_OF_LARGE)
  const shares = Array.from({ length: origins }, (_, origin) =>
    origin < large ? share(ofLarge, large, origin) : share(resources - ofLarge, origins - large, origin - large),
  )
  return shares.flatMap((count, origin) =>
    Array.from({ length: count }, (_, at) => ({ origin, path: `/item/${at}`, kind: kindOf(origin, at) })),
  )
}

/** One part of a total that is distributed as evenly as possible. */
const share = (total: number, parts: number, part: number): number =>
  Math.floor(total / parts) + (part < total % parts ? 1 : 0)

const kindOf = (origin: number, at: number): Kind =>
  origin % FORBIDDING === FORBIDDING - 1 ? 'forbidden' : (REFUSED[(origin + at) % TURN] ?? 'payable')
