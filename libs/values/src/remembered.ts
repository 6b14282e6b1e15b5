import { keepNewest } from './keep-newest.ts'

/**
 * A function that remembers what it made: for as many arguments as may be kept, the oldest of them forgotten first.
 * @param make gives the same for the same argument, and never undefined
 */
export function remembered<Argument, Made>(make: (argument: Argument) => Made, most: number) {
  const kept = new Map<Argument, Made>()
  return (argument: Argument): Made => {
    const known = kept.get(argument)
    if (known !== undefined) return known
    const made = make(argument)
    keepNewest(kept, argument, made, most)
    return made
  }
}
