import manifest from '../package.json' with { type: 'json' }

/** What runs here. */
export interface Build {
  readonly version: string
  /** The commit that the image was made of; `unknown` outside of an image. */
  readonly revision: string
}

/** @param env of the process; an image says its commit in `CALLBOARD_REVISION` */
export const buildOf = (env: NodeJS.ProcessEnv): Build => ({
  version: manifest.version,
  revision: env.CALLBOARD_REVISION || 'unknown',
})
