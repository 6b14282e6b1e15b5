import { isRequired } from './found.ts'
import { type NoProgram, type Program, program } from './programs.ts'

/**
 * Prometheus's tool that checks alert rules and runs their unit tests.
 * @throws Error when there is none and `REQUIRE` names promtool
 */
export async function findPromtool(): Promise<Program | NoProgram> {
  const found = await program({ name: 'promtool', debianPackage: 'prometheus' })
  if ('closed' in found && isRequired('promtool')) {
    throw new Error(`REQUIRE asks for promtool, but none was found: ${found.closed}. Install prometheus.`)
  }
  return found
}
