import { ApiRefusal, NotLinked } from '@callboard/client'
import { agents } from '@callboard/contract'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { credentialsOf, linkedApi, linkOf } from '../settings.ts'

/** `callboard agent whoami` */
export const agentWhoami: Command = {
  usage: 'agent whoami',
  options: {},
  async run({ settings, print }) {
    const self = await linkedApi(settings).call(agents.self, {})
    print.result(self, [
      `${self.label} (${self.clientId})`,
      `wallet  ${self.wallet}`,
      `owner   ${self.owner}`,
      `scopes  ${self.scopes.join(' ')}`,
      `linked  ${self.linkedAt}`,
    ])
    return EXIT.ok
  },
}

/** `callboard agent unlink`: ends the link at the service, then forgets it locally. */
export const agentUnlink: Command = {
  usage: 'agent unlink',
  options: {},
  async run({ settings, print }) {
    const { clientId, owner } = linkOf(settings)
    const wasOver = await linkedApi(settings)
      .call(agents.unlinkSelf, {})
      .then(() => false, endedBefore)
    credentialsOf(settings).forget()
    print.result({ unlinked: true, clientId, wasOver }, [
      wasOver
        ? `The link of ${clientId} to ${owner} had already ended. It is now removed here too.`
        : `${clientId} is no longer linked to ${owner}.`,
    ])
    return EXIT.ok
  },
}

/** Whether a link has already ended, so its tokens are refused everywhere. @throws any other error */
function endedBefore(error: unknown): true {
  if (error instanceof NotLinked || (error instanceof ApiRefusal && error.status === 401)) return true
  throw error
}
