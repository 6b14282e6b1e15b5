import type { Stats } from 'node:fs'

/** Tells versions of a file apart. A time alone does not: some deployments give every file the same one. */
export const fileStamp = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs} ${size} ${ino}`
