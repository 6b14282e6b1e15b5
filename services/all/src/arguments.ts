export interface Arguments {
  readonly demo: boolean
  readonly printConfig: boolean
  readonly listTargets: boolean
  readonly migrate: boolean
}

const FLAGS = ['--no-demo', '--print-config', '--list-targets', '--migrate'] as const

/**
 * Reads the command line of `npm start`.
 * @throws Error naming the flags there are when it holds another
 */
export function readArguments(given: readonly string[]): Arguments {
  const unknown = given.filter((flag) => !FLAGS.some((known) => known === flag))
  if (unknown.length > 0) throw new Error(`npm start takes ${FLAGS.join(', ')}; not ${unknown.join(' ')}.`)
  return {
    demo: !given.includes('--no-demo'),
    printConfig: given.includes('--print-config'),
    listTargets: given.includes('--list-targets'),
    migrate: given.includes('--migrate'),
  }
}
