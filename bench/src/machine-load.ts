import { loadavg } from 'node:os'

/** The machine's load when a figure began, which a reader of its times must know. */
export function loadNote(): string {
  const [load = 0] = loadavg()
  return `The load of the machine in the minute before the run was ${load.toFixed(1)}.`
}
