import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeSecretFile } from '../credentials.ts'
import { Entry } from './entry.ts'

/** What was spent is not known, or cannot be written down: nothing is paid. */
export class LedgerUnusable extends Error {
  override readonly name = 'LedgerUnusable'
}

/** How often it is asked whether a rewrite is worth it, in lines. */
const ASKED_EVERY = 256

/** How far a file was read. A rewrite is another file, though its inode may have been used before. */
interface Read {
  readonly file: string
  readonly bytes: number
  readonly lines: number
  /** Whether the last line has no end: a person wrote it. */
  readonly isOpen: boolean
}

/** Where a line is, without its end. */
interface Line {
  readonly at: number
  readonly bytes: number
}

const NOTHING: Read = { file: '', bytes: 0, lines: 0, isOpen: false }

/**
 * Entries in a file of JSON lines, of which the last with an id counts. A change is one line more, so that a payment does
 * not wait for all earlier ones. Whoever writes holds the ledger's lock; what a process wrote in part when it was killed
 * was never acknowledged, and is cut off by the next one that writes. Lines with what was signed are blanked once its
 * outcome is known.
 */
export class Journal {
  readonly #file: string
  #entries = new Map<string, Entry>()
  #read = NOTHING
  /** Where the lines are that hold what was signed, by id. */
  readonly #signed = new Map<string, readonly Line[]>()

  constructor(file: string) {
    this.#file = file
  }

  /** @throws LedgerUnusable for a line that is no entry */
  entries(): ReadonlyMap<string, Entry> {
    let fd: number
    try {
      fd = openSync(this.#file, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
      throw error
    }
    try {
      this.#readOn(fd)
    } finally {
      closeSync(fd)
    }
    return this.#entries
  }

  /** @param isDurable whether it, and all before it, survive a power cut from now on */
  append(entry: Entry, isDurable: boolean): void {
    const fd = openSync(this.#file, 'r+')
    try {
      this.#readOn(fd)
      const { bytes, isOpen } = this.#read
      ftruncateSync(fd, bytes)
      writeAll(fd, `${isOpen ? '\n' : ''}${JSON.stringify(entry)}\n`, bytes)
      const over = isSigned(entry) ? [] : (this.#signed.get(entry.id) ?? [])
      // The disk must not have the blanks without the line that takes their place.
      if (isDurable || over.length > 0) fdatasyncSync(fd)
      for (const line of over) writeAll(fd, ' '.repeat(line.bytes), line.at)
    } finally {
      closeSync(fd)
    }
  }

  /** Replaces the file by the last line of each entry that is kept. */
  rewrite(isKept: (entry: Entry) => boolean): void {
    const kept = [...this.entries().values()].filter(isKept)
    writeSecretFile(this.#file, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }

  /** Whether less than half of its lines are kept entries, which it is asked now and then. */
  isMostlyOver(isKept: (entry: Entry) => boolean): boolean {
    const { lines } = this.#read
    if (lines === 0 || lines % ASKED_EVERY > 0) return false
    return lines > 2 * [...this.#entries.values()].filter(isKept).length
  }

  /** Creates an empty file, to have something to lock. One that another process created meanwhile is kept. */
  begin(): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    closeSync(openSync(this.#file, 'a', 0o600))
  }

  #readOn(fd: number): void {
    const { ino, birthtimeMs, size } = fstatSync(fd)
    const file = `${ino} ${birthtimeMs}`
    if (file !== this.#read.file || size < this.#read.bytes) {
      this.#entries = new Map()
      this.#signed.clear()
      this.#read = { ...NOTHING, file }
    }
    let { bytes, lines, isOpen } = this.#read
    const more = Buffer.alloc(size - bytes)
    const texts = more
      .subarray(0, readSync(fd, more, 0, more.length, bytes))
      .toString()
      .split('\n')
    const cut = texts.pop() ?? ''
    if (texts.length > 0) isOpen = false
    for (const text of texts) {
      lines += 1
      const length = Buffer.byteLength(text)
      if (text.trim() !== '') this.#take(this.#entryIn(text, lines), { at: bytes, bytes: length })
      bytes += length + 1
    }
    const last = cut.startsWith('{') ? entryOf(cut) : undefined
    if (last) {
      const length = Buffer.byteLength(cut)
      this.#take(last, { at: bytes, bytes: length })
      bytes += length
      isOpen = true
    } else if (cut !== '' && !cut.startsWith('{')) this.#entryIn(cut, lines + 1)
    this.#read = { file, bytes, lines, isOpen }
  }

  #take(entry: Entry, line: Line): void {
    this.#entries.set(entry.id, entry)
    if (isSigned(entry)) this.#signed.set(entry.id, [...(this.#signed.get(entry.id) ?? []), line])
    else this.#signed.delete(entry.id)
  }

  #entryIn(line: string, number: number): Entry {
    const entry = entryOf(line)
    if (entry) return entry
    this.#read = NOTHING
    throw new LedgerUnusable(`${this.#file}: line ${number} is not an entry of a ledger`)
  }
}

const isSigned = ({ presented, signed }: Entry): boolean => presented !== undefined || signed !== undefined

/** @throws when the disk is full, after which a part may be there */
function writeAll(fd: number, text: string, at: number): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, bytes.length - written, at + written)
  }
}

/** The entry that a whole line holds; undefined if it is none, or a part of one. */
function entryOf(line: string): Entry | undefined {
  try {
    return Entry.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
