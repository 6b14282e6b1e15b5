/** The payments whose answers this process waits for, by id. */
const own = new Set<string>()

/** Notes that this process waits for the answer to a payment. */
export const startWaiting = (id: string): void => void own.add(id)

/** Notes that this process waits no longer: it has the answer, or gave up. */
export const stopWaiting = (id: string): void => void own.delete(id)

/**
 * Whether a process still waits for the answer to a payment. A process ID is used again: in a container, each run may
 * have the same one as the run that was killed.
 */
export const isWaiting = (id: string, pid: number): boolean => (pid === process.pid ? own.has(id) : isRunning(pid))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
