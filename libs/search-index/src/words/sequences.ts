/** The length of one array: 1 MiB of numbers. */
const CHUNK = 2 ** 18

/**
 * Sequences of 32-bit integers, side by side in a few large arrays: short ones need no object each, and the garbage
 * collector does not scan them.
 */
export class Sequences {
  readonly #chunks: Int32Array[] = []
  /** How far the last chunk is filled. */
  #end = CHUNK
  /** Freed places, by the length of the sequence that was there. */
  readonly #free = new Map<number, number[]>()

  /** @returns the place of the sequence */
  add(items: readonly number[]): number {
    const place = this.#free.get(items.length)?.pop() ?? this.#append(items.length)
    this.chunkOf(place).set(items, this.startOf(place))
    return place
  }

  /** Frees the place of a sequence. */
  remove(place: number, length: number): void {
    const places = this.#free.get(length)
    if (places) places.push(place)
    else this.#free.set(length, [place])
  }

  /** The array that holds a sequence, from `startOf` on. */
  chunkOf(place: number): Int32Array {
    const chunk = this.#chunks[Math.floor(place / CHUNK)]
    if (!chunk) throw new RangeError(`Nothing stands at ${place}`)
    return chunk
  }

  startOf(place: number): number {
    return place % CHUNK
  }

  #append(length: number): number {
    // An empty one takes space too, so that its place is within a chunk.
    const room = Math.max(1, length)
    if (this.#end + room > CHUNK) {
      this.#chunks.push(new Int32Array(CHUNK))
      this.#end = 0
    }
    const place = (this.#chunks.length - 1) * CHUNK + this.#end
    this.#end += room
    return place
  }
}
