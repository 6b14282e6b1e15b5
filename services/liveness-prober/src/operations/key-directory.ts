import type { livenessProber } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { ProberHandler } from '../context.ts'
import { signedDirectory } from '../signing/signed-directory.ts'

export const keyDirectory: ProberHandler<typeof livenessProber.keyDirectory> = async (_input, ctx) => {
  const signingKeys = ctx.resources.signingKeys()
  if (signingKeys.length === 0) return refuse('not_found', { message: 'This prober does not sign its requests.' })
  return signedDirectory(signingKeys, ctx.config.BASE_URL, ctx.clock.now())
}
