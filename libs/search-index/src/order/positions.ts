import { NumberTable } from '../numbers/number-table.ts'
import { Ordered } from '../numbers/ordered.ts'
import { END } from '../numbers/walk.ts'

/** Something with a place in an order. */
export interface Positioned {
  /** Rises along the order. `Positions` sets it. */
  position: number
  /** Unique among the things held, and reused later, so that numbers stay small. `Positions` sets it. */
  slot: number
}

/** Holds positions, and is called when one changes. */
export interface Holder<Thing> {
  leave(thing: Thing): void
  enter(thing: Thing): void
}

/** Positions are below it. */
const SPAN = 2 ** 31 - 1
/** A range of 2^i positions is crowded with more than 1.65^i things: the wider the range, the fewer per position. */
const CROWDING = 1.65
/** Things between two yields of a fill. */
const BETWEEN_YIELDS = 5_000

/**
 * Gives things of a total order whole numbers that rise along it, so that they are compared by number, without reading
 * the things. A new one gets a number between those of its neighbours. If there is none left, the things around it get
 * new ones, evenly spread over the smallest range that is not crowded; wide ranges count as crowded sooner, so that
 * each wider range takes ever more arrivals until it is spread again.
 * @source Bender, Cole, Demaine, Farach-Colton, Zito: Two simplified algorithms for maintaining order in a list, 2002
 */
export class Positions<Thing extends Positioned> {
  /** All positions in use. */
  readonly order = new Ordered()
  /** By slot. */
  readonly #things: (Thing | undefined)[] = []
  readonly #free: number[] = []
  readonly #slots = new NumberTable()
  readonly #compare: (a: Thing, b: Thing) => number
  readonly #holder: Holder<Thing>

  /** @param holder is called for each thing that moves: it leaves with the old position, enters with the new one */
  constructor(compare: (a: Thing, b: Thing) => number, holder: Holder<Thing>) {
    this.#compare = compare
    this.#holder = holder
  }

  /** The thing at a position. */
  at(position: number): Thing {
    const thing = this.#things[this.#slots.get(position)]
    if (!thing) throw new Error(`Nothing has the position ${position}`)
    return thing
  }

  /** The slot of the thing at a position: its index in arrays that keep something per thing. */
  slotAt(position: number): number {
    return this.#slots.get(position)
  }

  /** The position of the first thing for which `isBefore` is false; END if there is none. */
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
   * Gives positions to things in their order, while nothing has one yet.
   * @param yieldToEventLoop awaited now and then, so that other work gets its turn
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

  /** Puts a thing in the place of another that is equal to it in the order. */
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

  /** Spreads out the things around a position. */
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
