import { routes } from '@callboard/contract'

/** Tests' names start with the operation's id and a parenthesis: `agents.list (` is not in `agents.listDevices (`. */
export const partOfName = (only: string): string => (routes().some(({ id }) => id === only) ? `${only} (` : only)
