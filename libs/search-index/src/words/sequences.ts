/** Numbers in one array, 1 MiB of them. */
const CHUNK = 2 ** 18

/**
 * Sequences of integers of 32 bits, side by side in a few large arrays: short ones cost no object each, and the garbage
 * collector does not look into them.
 */
export class Sequences {
  readonly #chunks: Int32Array[] = []
  /** Where the last chunk is filled up to. */
  #end = CHUNK
  /** Places that were given back, by the length of what stood there. */
  readonly #free = new Map<number, number[]>()

  /** @returns the place of the sequence */
  add(items: readonly number[]): number {
    const place = this.#free.get(items.length)?.pop() ?? this.#append(items.length)
    this.chunkOf(place).set(items, this.startOf(place))
    return place
  }

  /** Gives back the place of a sequence. */
  remove(place: number, length: number): void {
    const places = this.#free.get(length)
    if (places) places.push(place)
    else this.#free.set(length, [place])
  }

  /** What a sequence stands in, from `startOf` on. */
  chunkOf(place: number): Int32Array {
    const chunk = this.#chunks[Math.floor(place / CHUNK)]
    if (!chunk) throw new RangeError(`Nothing stands at ${place}`)
    return chunk
  }

  startOf(place: number): number {
    return place % CHUNK
  }

  #append(length: number): number {
    // An empty one takes room too, so that its place lies within a chunk.
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
