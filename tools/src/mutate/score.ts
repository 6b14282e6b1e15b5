/** The fields of a mutant in mutation-testing-report-schema 2 that are read here. */
export interface Mutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Place; readonly end: Place }
}

/** Line and column, both from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

export interface ReportedFile {
  readonly source: string
  readonly mutants: readonly Mutant[]
}

export interface Score {
  readonly killed: number
  /** Those among the killed whose tests timed out, which may be due to a loaded machine. */
  readonly timedOut: number
  readonly all: number
  readonly survivors: readonly Survivor[]
}

export interface Survivor {
  readonly line: number
  readonly original: string
  readonly mutant: string
}

const KILLED = new Set(['Killed', 'Timeout'])
const COUNTED = new Set([...KILLED, 'Survived', 'NoCoverage'])

/**
 * Scores how many mutants of a file some test notices. Sentences are left out: their wording is for readers to judge. A
 * literal with a space in it is a sentence.
 */
export function scoreOf({ source, mutants }: ReportedFile): Score {
  const lines = source.split('\n')
  const counted = mutants.filter(
    (mutant) =>
      COUNTED.has(mutant.status) &&
      !(mutant.mutatorName === 'StringLiteral' && textAt(lines, mutant.location).includes(' ')),
  )
  const survived = counted.filter(({ status }) => !KILLED.has(status))
  return {
    killed: counted.length - survived.length,
    timedOut: counted.filter(({ status }) => status === 'Timeout').length,
    all: counted.length,
    survivors: survived.map(({ location, replacement = '' }) => ({
      line: location.start.line,
      original: textAt(lines, location),
      mutant: replacement,
    })),
  }
}

function textAt(lines: readonly string[], { start, end }: Mutant['location']): string {
  const text = lines.slice(start.line - 1, end.line)
  const last = text.length - 1
  if (last >= 0) text[last] = (text[last] as string).slice(0, end.column - 1)
  if (last >= 0) text[0] = (text[0] as string).slice(start.column - 1)
  return text.join('\n')
}

/** In percent. A file without mutants has nothing to notice. */
export const percentOf = ({ killed, all }: Pick<Score, 'killed' | 'all'>): number =>
  all === 0 ? 100 : (100 * killed) / all

/** Whether a score reaches the minimum for each file. */
export const isEnough = (score: Pick<Score, 'killed' | 'all'>): boolean => percentOf(score) >= DEMANDED

/** The percentage of a file's mutants that its unit tests must notice. */
export const DEMANDED = 85
