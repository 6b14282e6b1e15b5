import { agents } from '@callboard/contract'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { credentialsOf, linkedApi } from '../settings.ts'

/** `callboard agent whoami` */
export const agentWhoami: Command = {
  usage: 'agent whoami',
  options: {},
  async run({ settings, print }) {
    const self = await linkedApi(settings).call(agents.self, {})
    print.result(self, [
      `${self.label} (${self.clientId})`,
      `owner   ${self.owner}`,
      `scopes  ${self.scopes.join(' ')}`,
      `linked  ${self.linkedAt}`,
    ])
    return EXIT.ok
  },
}

/** `callboard agent unlink`: ends the link there, then forgets it here. */
export const agentUnlink: Command = {
  usage: 'agent unlink',
  options: {},
  async run({ settings, print }) {
    const { clientId, owner } = credentialsOf(settings).read()
    await linkedApi(settings).call(agents.unlinkSelf, {})
    credentialsOf(settings).forget()
    print.result({ unlinked: true, clientId }, [`${clientId} is no longer linked to ${owner}.`])
    return EXIT.ok
  },
}
