import { NumberTable } from '../numbers/number-table.ts'
import { Ordered } from '../numbers/ordered.ts'
import { END } from '../numbers/walk.ts'

/** Something with a place in an order. */
export interface Positioned {
  /** Rises along the order. `Positions` sets it. */
  position: number
  /** A number of its own for as long as it is in, and then that of another one, so that numbers stay small. `Positions` sets it. */
  slot: number
}

/** Holds positions, and is called when one changes. */
export interface Holder<Thing> {
  leave(thing: Thing): void
  enter(thing: Thing): void
}

/** Positions lie below it. */
const SPAN = 2 ** 31 - 1
/** A range of 2^i positions is crowded with more than 1.65^i things: the wider, the fewer for each position. */
const CROWDING = 1.65
/** Things between two yields of a fill. */
const BETWEEN_YIELDS = 5_000

/**
 * Gives things of a total order whole numbers that rise along it, so that places are compared as numbers, without
 * looking at the things. One that comes in gets a number between those of its neighbours. When there is none left, the
 * things around get new ones, evenly spread over the smallest range that is not crowded; wide ranges count as crowded
 * sooner, so that it takes ever more arrivals until a wider one is spread again.
 * @source Bender, Cole, Demaine, Farach-Colton, Zito: Two simplified algorithms for maintaining order in a list, 2002
 */
export class Positions<Thing extends Positioned> {
  /** All positions that are given. */
  readonly order = new Ordered()
  /** By slot. */
  readonly #things: (Thing | undefined)[] = []
  readonly #free: number[] = []
  readonly #slots = new NumberTable()
  readonly #compare: (a: Thing, b: Thing) => number
  readonly #holder: Holder<Thing>

  /** @param holder is called for each thing that gets another position: it leaves with the old one and enters with the new one */
  constructor(compare: (a: Thing, b: Thing) => number, holder: Holder<Thing>) {
    this.#compare = compare
    this.#holder = holder
  }

  /** The thing that has a position. */
  at(position: number): Thing {
    const thing = this.#things[this.#slots.get(position)]
    if (!thing) throw new Error(`Nothing has the position ${position}`)
    return thing
  }

  /** The slot of the thing that has a position: where it has what is kept of each thing in an array. */
  slotAt(position: number): number {
    return this.#slots.get(position)
  }

  /** The position of the first thing that does not come before a place; END when there is none. */
  first(isBefore: (thing: Thing) => boolean): number {
    return this.order.first((position) => !isBefore(this.at(position)))
  }

  /** Gives a position to a thing that has none. */
  add(thing: Thing): void {
    const isBefore = (other: Thing) => this.#compare(other, thing) < 0
    thing.slot = this.#free.pop() ?? this.#things.length
    this.#things[thing.slot] = thing
    let next = this.first(isBefore)
    let previous = this.order.before(next)
    if (next - previous < 2) {
      this.#makeRoom(previous < 0 ? next : previous)
      next = this.first(isBefore)
      previous = this.order.before(next)
    }
    this.#give(thing, previous + Math.ceil((next - previous) / 2))
  }

  /**
   * Gives positions to things in their order, when nothing has one yet.
   * @param yieldToEventLoop awaited now and then, so that others get their turn
   */
  async fill(sorted: readonly Thing[], yieldToEventLoop: () => Promise<unknown>): Promise<void> {
    const step = Math.floor(SPAN / (sorted.length + 1))
    for (const [index, thing] of sorted.entries()) {
      if (index % BETWEEN_YIELDS === 0) await yieldToEventLoop()
      thing.position = step * (index + 1)
      thing.slot = index
      this.order.append(thing.position)
      this.#things.push(thing)
      this.#slots.set(thing.position, index)
    }
  }

  /** Puts a thing in the place of another one that it does not differ from in the order. */
  replace(before: Thing, thing: Thing): void {
    thing.position = before.position
    thing.slot = before.slot
    this.#things[thing.slot] = thing
  }

  remove(thing: Thing): void {
    this.#take(thing)
    this.#things[thing.slot] = undefined
    this.#free.push(thing.slot)
  }

  #take({ position }: Thing): void {
    this.order.remove(position)
    this.#slots.delete(position)
  }

  #give(thing: Thing, position: number): void {
    thing.position = position
    this.order.add(position)
    this.#slots.set(position, thing.slot)
  }

  /** Spreads the things around a position. */
  #makeRoom(position: number): void {
    let capacity = CROWDING
    for (let size = 2; ; size *= 2, capacity *= CROWDING) {
      const low = position - (position % size)
      const crowd = this.#between(low, low + size)
      const step = Math.floor(Math.min(size, SPAN - low) / (crowd.length + 1))
      if (step < 2 && size > SPAN) throw new RangeError(`${crowd.length} things are more than there are positions for`)
      if (step < 2 || (crowd.length > capacity && size <= SPAN)) continue
      for (const thing of crowd) {
        this.#holder.leave(thing)
        this.#take(thing)
      }
      for (const [index, thing] of crowd.entries()) {
        this.#give(thing, low + step * (index + 1))
        this.#holder.enter(thing)
      }
      return
    }
  }

  #between(low: number, high: number): Thing[] {
    const things: Thing[] = []
    const walk = this.order.walk(low)
    for (; walk.item !== END && walk.item < high; walk.advance()) things.push(this.at(walk.item))
    return things
  }
}
