import { routes } from '@callboard/contract'

/** What names of tests have: they begin with the operation's id and a parenthesis; with it `agents.list` is not `agents.listDevices`, too. */
export const partOfName = (only: string): string => (routes().some(({ id }) => id === only) ? `${only} (` : only)
