import manifest from '../package.json' with { type: 'json' }

/** The running build. */
export interface Build {
  readonly version: string
  /** The commit that the image was built from; `unknown` outside an image. */
  readonly revision: string
}

/** @param env of the process; an image sets its commit in `CALLBOARD_REVISION` */
export const buildOf = (env: NodeJS.ProcessEnv): Build => ({
  version: manifest.version,
  revision: env.CALLBOARD_REVISION || 'unknown',
})
