import { keepNewest } from './keep-newest.ts'

/**
 * A function that caches its results: for a limited number of arguments, of which it drops the oldest first.
 * @param make returns the same for the same argument, and never undefined
 */
export function memoize<Argument, Made>(make: (argument: Argument) => Made, most: number) {
  const kept = new Map<Argument, Made>()
  return (argument: Argument): Made => {
    const known = kept.get(argument)
    if (known !== undefined) return known
    const made = make(argument)
    keepNewest(kept, argument, made, most)
    return made
  }
}
