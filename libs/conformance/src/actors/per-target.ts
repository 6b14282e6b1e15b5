import type { Target } from '../target.ts'

/** Something that a run makes once for each target, when it is first asked for: signing in and linking are rate-limited. */
export function perTarget<Made>(make: (target: Target) => Promise<Made>): (target: Target) => Promise<Made> {
  const made = new Map<string, Promise<Made>>()
  return (target) => {
    const one = made.get(target.baseUrl) ?? make(target)
    made.set(target.baseUrl, one)
    return one
  }
}
