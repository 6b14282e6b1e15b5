import { oauth } from '@callboard/contract'
import { expect, test } from 'vitest'
import { Client } from '../../actors/client.ts'
import { allowedProgram, isTaken } from '../../actors/oauth-client.ts'
import { newOwner } from '../../actors/owner.ts'
import { accepted, refused } from '../../expectations/expectations.ts'
import type { Register } from '../../target.ts'

const PATH = '/api/auth/grants'

export const endClientGrants: Register = (target) => {
  test('ends the grants of all of the owner’s programs', async () => {
    const owner = await newOwner(target())
    const programs = [await allowedProgram(target(), owner), await allowedProgram(target(), owner)]
    accepted(oauth.endClientGrants, await owner.session.delete(PATH))
    for (const { tokens } of programs) {
      expect(await isTaken(target(), tokens)).toBe(false)
    }
    expect(accepted(oauth.listClientGrants, await owner.session.get(PATH)).grants).toEqual([])
  })

  test('401 unauthorized: without a session', async () => {
    refused(oauth.endClientGrants, await new Client(target().baseUrl).delete(PATH), 401, 'unauthorized')
  })
}
