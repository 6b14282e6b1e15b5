// Loaded by `node --import` into every process of the walk: what cannot be done to a process from outside.

const shiftMs = Number(process.env.FAULT_CLOCK_MS ?? 0)
if (shiftMs !== 0) {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + shiftMs)
      else super(...given)
    }
    static now() {
      return Real.now() + shiftMs
    }
  }
}

const BLOCK_MS = 5_000
process.on('SIGUSR2', () => {
  const end = performance.now() + BLOCK_MS
  while (performance.now() < end);
})
